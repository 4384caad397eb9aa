// Recorded at 2026-11-30T12:00:00.000Z by browx 1.0.0.
// Paths are of use.baseURL in the configuration; it was https://app.example.com.
import { test, expect } from '@playwright/test';

test.use({ testIdAttribute: 'data-cy' });

test('Locators', async ({ page }) => {
  // Where the recording began.
  await page.goto('/invoices');
  await page
    .getByRole('row', { name: 'Invoice 7' })
    .getByRole('button', { name: 'Approve' })
    .click();
  // fragile: 3 elements match without nth()
  await page.getByRole('button', { name: 'Dot' }).nth(1).click();
  // fragile: only its place in the page tells it apart
  await page.locator('#ember > button:nth-of-type(2)').click();
  await page.getByTestId('save').click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^\s*Ada\s+B\.\s*$/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  // fragile: it was not counted in the page
  await page.getByRole('button', { name: 'Other', exact: true }).click();
  // fragile: it was not counted in the page
  await page.locator('tr:has-text("7") >> text=Approve').click();
  // Not written: click-8: the recording has no locator for its target.
  await page
    .getByRole('button', {
      name: 'A very long name of a button that goes on and on until nobody can read it any more',
    })
    .click();
  await expect(page.getByRole('status', { name: 'Invoice 7 approved by Ada' })).toContainText(
    'Invoice 7 approved',
    { ignoreCase: true },
  );
  await expect(
    page.getByRole('heading', {
      name: 'Invoices of the department for the acquisition of very long names, second',
    }),
  ).toBeVisible();
});
