// Recorded at 2026-11-30T12:00:00.000Z by browx 1.0.0.
// Paths are of use.baseURL in the configuration; it was https://app.example.com.
// Needs the environment variable PASSWORD.
// Needs the environment variable BROWX_LABEL_ONE_TIME_CODE.
import { test, expect } from '@playwright/test';

// Values that were masked when this was recorded.
const secrets = ['PASSWORD', 'BROWX_LABEL_ONE_TIME_CODE'];
for (const name of secrets) {
  if (!process.env[name]) throw new Error(`Set the environment variable ${name}.`);
}

test.use({ viewport: { width: 1280, height: 720 }, locale: 'de-DE', timezoneId: 'Europe/Berlin' });

test('Sign in & approve', { tag: ['@AC-1', '@AC-2'] }, async ({ page }) => {
  await test.step('AC-1: A known user can sign in', async () => {
    await page.goto('/login?next=%2F');
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(process.env.PASSWORD!);
    await page.getByLabel('One-time code').fill(process.env.BROWX_LABEL_ONE_TIME_CODE!);
    await page
      .getByRole('textbox', { name: 'Note' })
      .fill(`token ${process.env.PASSWORD} of \${user}`);
    // Retried below: click-8 failed when it was recorded (the element is covered by div#veil): await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('status')).toContainText('Welcome, Ada', { ignoreCase: true });
  });

  await test.step('AC-2', async () => {
    await page.getByRole('combobox', { name: 'City' }).selectOption('Oslo');
    await page.getByRole('listbox', { name: 'Cities' }).selectOption(['Oslo', 'Rome']);
    await page.getByRole('checkbox', { name: 'I accept' }).check();
    await expect(page.getByRole('checkbox', { name: 'I accept' })).toBeChecked();
    await expect(page.getByRole('combobox', { name: 'City' }).locator('option:checked')).toHaveText(
      'Oslo',
    );
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.com');
    await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Invoices' })).toHaveText('Invoices');
    await expect(page.getByRole('heading', { name: 'Invoices' })).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('heading', { name: 'Invoices' })).toHaveAttribute('hidden');
    await expect(page.getByRole('row')).toHaveCount(12);
    await expect(page.getByText('open')).toHaveCount(0);
    await expect(page.getByRole('row', { name: 'Ada' })).toContainText('Ada open', {
      ignoreCase: true,
      useInnerText: true,
    });
    // Not written: assert-25: it counted elements of several frames.
    // Not repeated: assert-26 failed when it was recorded (the element does not contain the text): await expect(page.getByRole('status', { name: 'Total' })).toContainText('13', { ignoreCase: true });
  });

  await page.goBack();
  await page.goForward();
  await page.reload();
});
