// Recorded at 2026-11-30T12:00:00.000Z by browx 1.0.0.
// Paths are of use.baseURL in the configuration; it was https://shop.test.
import { test, expect, type Page } from '@playwright/test';

// Other origins that the test goes to.
const payTest8443 = process.env.BROWX_ORIGIN_PAY_TEST_8443 ?? 'https://pay.test:8443';

test.use({ viewport: { width: 1024, height: 768 } });

test('Places', async ({ page }) => {
  let popup!: Page;
  let page2!: Page;
  await page.goto('/');
  await page.goto(`${payTest8443}/help#top`);
  await page.frameLocator('iframe[name="pay"]').getByRole('button', { name: 'Pay' }).click();
  // fragile: its frame: only its place in the page tells it apart
  await expect(
    page
      .getByTitle('Payment')
      .contentFrame()
      .frameLocator('body > iframe')
      .getByRole('button', { name: 'Pay' }),
  ).toBeVisible();
  // Not written: hover-6: the recording does not say how its frame is found.

  await test.step('new window: Opens the help', async () => {
    const popupPromise = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Help' }).click();
    popup = await popupPromise;
    await popup.getByRole('button', { name: 'Close' }).click();
  });

  const popupPromise2 = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Help' }).click();
  await popupPromise2;
  await expect(popup.getByRole('heading', { name: 'Help' })).toBeVisible();
  page2 = await page.context().newPage();
  await page2.goto('/other');
  const dialogPromise = page.waitForEvent('dialog');
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialogPromise;
  const dialogPromise2 = page.waitForEvent('dialog');
  page.once('dialog', async (dialog) => {
    page.once('dialog', (dialog2) => dialog2.accept('it\'s "me"'));
    await dialog.accept();
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialogPromise2;
  const dialogPromise3 = page.waitForEvent('dialog');
  page.once('dialog', async (dialog) => {
    await dialog.accept(
      'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    );
  });
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialogPromise3;
  const downloadPromise = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Delete' }).click();
  await downloadPromise;
  await page.keyboard.press('Control+A');
  await page.getByRole('searchbox', { name: 'Filter' }).press('Enter');
  await page
    .getByRole('row', { name: 'Invoice 7' })
    .click({ button: 'right', modifiers: ['Shift', 'Alt'] });
  await page.getByRole('row', { name: 'Invoice 7' }).dblclick();
  // fragile: a point of the viewport, whatever is there
  await page.mouse.click(12.5, 30);
  await page.getByRole('menuitem', { name: 'More' }).hover();
  await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
  await page.mouse.wheel(0, 300);
  await page
    .getByRole('grid', { name: 'Invoices' })
    .evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await page.getByRole('grid', { name: 'Invoices' }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Attach' }).setInputFiles(['a.pdf', 'b.pdf']);
  await page.getByText('Done').waitFor();
  await page.getByRole('progressbar').waitFor();
  // Not written: drag-29: drag has no counterpart.
  // Not written: eval_js-30: it ran a script in the page, 'localStorage.clear()'.
  // Not written: click-31: the recording has no locator for its target.
});
