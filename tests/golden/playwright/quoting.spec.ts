// Recorded at 2026-11-30T12:00:00.000Z by browx 1.0.0.
// Paths are of use.baseURL in the configuration; it was http://127.0.0.1:4000.
import { test, expect } from '@playwright/test';

test(
  '*/ // ${name} `x` </script>',
  { tag: ['@no', '@1e3', '@null', '@0x1F', '@2026-11-30', '@true', '@...', '@---', '@0o17'] },
  async ({ page }) => {
    await page.goto('/b11-code-quoting/');

    await test.step('O\'Brien "the" `tick`', async () => {
      await page.getByRole('textbox', { name: 'field 0' }).fill('O\'Brien "the" `tick`');
      await expect(page.getByRole('textbox', { name: 'field 0' })).toHaveValue(
        'O\'Brien "the" `tick`',
      );
      // Not repeated: click-4 failed when it was recorded (O'Brien "the" `tick`): await page.locator('O\'Brien "the" `tick`').click();
    });

    await test.step('${process.exit(1)}', async () => {
      await page.getByRole('textbox', { name: 'field 1' }).fill('${process.exit(1)}');
      await expect(page.getByRole('textbox', { name: 'field 1' })).toHaveValue(
        '${process.exit(1)}',
      );
      // Not repeated: click-7 failed when it was recorded (${process.exit(1)}): await page.locator('${process.exit(1)}').click();
    });

    await test.step('first\nsecond', async () => {
      await page.getByRole('textbox', { name: 'field 2' }).fill('first\nsecond');
      await expect(page.getByRole('textbox', { name: 'field 2' })).toHaveValue('first\nsecond');
      // Not repeated: click-10 failed when it was recorded (first second): await page.locator('first\nsecond').click();
    });

    await test.step('line\u2028sep\u2029para', async () => {
      await page.getByRole('textbox', { name: 'field 3' }).fill('line\u2028sep\u2029para');
      await expect(page.getByRole('textbox', { name: 'field 3' })).toHaveValue(
        'line\u2028sep\u2029para',
      );
      // Not repeated: click-13 failed when it was recorded (line\u2028sep\u2029para): await page.locator('line\u2028sep\u2029para').click();
    });

    await test.step('back\\slash\\n', async () => {
      await page.getByRole('textbox', { name: 'field 4' }).fill('back\\slash\\n');
      await expect(page.getByRole('textbox', { name: 'field 4' })).toHaveValue('back\\slash\\n');
      // Not repeated: click-16 failed when it was recorded (back\slash\n): await page.locator('back\\slash\\n').click();
    });

    await test.step('*/ // <!-- </script><b>', async () => {
      await page.getByRole('textbox', { name: 'field 5' }).fill('*/ // <!-- </script><b>');
      await expect(page.getByRole('textbox', { name: 'field 5' })).toHaveValue(
        '*/ // <!-- </script><b>',
      );
      // Not repeated: click-19 failed when it was recorded (*/ // <!-- </script><b>): await page.locator('*/ // <!-- </script><b>').click();
    });

    await test.step('no', async () => {
      await page.getByRole('textbox', { name: 'field 6' }).fill('no');
      await expect(page.getByRole('textbox', { name: 'field 6' })).toHaveValue('no');
      // Not repeated: click-22 failed when it was recorded (no): await page.locator('no').click();
    });

    await test.step('1e3', async () => {
      await page.getByRole('textbox', { name: 'field 7' }).fill('1e3');
      await expect(page.getByRole('textbox', { name: 'field 7' })).toHaveValue('1e3');
      // Not repeated: click-25 failed when it was recorded (1e3): await page.locator('1e3').click();
    });

    await test.step('@x', async () => {
      await page.getByRole('textbox', { name: 'field 8' }).fill('@x');
      await expect(page.getByRole('textbox', { name: 'field 8' })).toHaveValue('@x');
      // Not repeated: click-28 failed when it was recorded (@x): await page.locator('@x').click();
    });

    await test.step('*y', async () => {
      await page.getByRole('textbox', { name: 'field 9' }).fill('*y');
      await expect(page.getByRole('textbox', { name: 'field 9' })).toHaveValue('*y');
      // Not repeated: click-31 failed when it was recorded (*y): await page.locator('*y').click();
    });

    await test.step('&anchor', async () => {
      await page.getByRole('textbox', { name: 'field 10' }).fill('&anchor');
      await expect(page.getByRole('textbox', { name: 'field 10' })).toHaveValue('&anchor');
      // Not repeated: click-34 failed when it was recorded (&anchor): await page.locator('&anchor').click();
    });

    await test.step('  lead and trail  ', async () => {
      await page.getByRole('textbox', { name: 'field 11' }).fill('  lead and trail  ');
      await expect(page.getByRole('textbox', { name: 'field 11' })).toHaveValue(
        '  lead and trail  ',
      );
      // Not repeated: click-37 failed when it was recorded (  lead and trail  ): await page.locator('  lead and trail  ').click();
    });

    await test.step('- dash', async () => {
      await page.getByRole('textbox', { name: 'field 12' }).fill('- dash');
      await expect(page.getByRole('textbox', { name: 'field 12' })).toHaveValue('- dash');
      // Not repeated: click-40 failed when it was recorded (- dash): await page.locator('- dash').click();
    });

    await test.step('key: value # c', async () => {
      await page.getByRole('textbox', { name: 'field 13' }).fill('key: value # c');
      await expect(page.getByRole('textbox', { name: 'field 13' })).toHaveValue('key: value # c');
      // Not repeated: click-43 failed when it was recorded (key: value # c): await page.locator('key: value # c').click();
    });

    await test.step('%TAG', async () => {
      await page.getByRole('textbox', { name: 'field 14' }).fill('%TAG');
      await expect(page.getByRole('textbox', { name: 'field 14' })).toHaveValue('%TAG');
      // Not repeated: click-46 failed when it was recorded (%TAG): await page.locator('%TAG').click();
    });

    await test.step('null', async () => {
      await page.getByRole('textbox', { name: 'field 15' }).fill('null');
      await expect(page.getByRole('textbox', { name: 'field 15' })).toHaveValue('null');
      // Not repeated: click-49 failed when it was recorded (null): await page.locator('null').click();
    });

    await test.step('~', async () => {
      await page.getByRole('textbox', { name: 'field 16' }).fill('~');
      await expect(page.getByRole('textbox', { name: 'field 16' })).toHaveValue('~');
      // Not repeated: click-52 failed when it was recorded (~): await page.locator('~').click();
    });

    await test.step('0x1F', async () => {
      await page.getByRole('textbox', { name: 'field 17' }).fill('0x1F');
      await expect(page.getByRole('textbox', { name: 'field 17' })).toHaveValue('0x1F');
      // Not repeated: click-55 failed when it was recorded (0x1F): await page.locator('0x1F').click();
    });

    await test.step('12:30:45', async () => {
      await page.getByRole('textbox', { name: 'field 18' }).fill('12:30:45');
      await expect(page.getByRole('textbox', { name: 'field 18' })).toHaveValue('12:30:45');
      // Not repeated: click-58 failed when it was recorded (12:30:45): await page.locator('12:30:45').click();
    });

    await test.step('2026-11-30', async () => {
      await page.getByRole('textbox', { name: 'field 19' }).fill('2026-11-30');
      await expect(page.getByRole('textbox', { name: 'field 19' })).toHaveValue('2026-11-30');
      // Not repeated: click-61 failed when it was recorded (2026-11-30): await page.locator('2026-11-30').click();
    });

    await test.step('/regex/', async () => {
      await page.getByRole('textbox', { name: 'field 20' }).fill('/regex/');
      await expect(page.getByRole('textbox', { name: 'field 20' })).toHaveValue('/regex/');
      // Not repeated: click-64 failed when it was recorded (/regex/): await page.locator('/regex/').click();
    });

    await test.step('{a: 1}', async () => {
      await page.getByRole('textbox', { name: 'field 21' }).fill('{a: 1}');
      await expect(page.getByRole('textbox', { name: 'field 21' })).toHaveValue('{a: 1}');
      // Not repeated: click-67 failed when it was recorded ({a: 1}): await page.locator('{a: 1}').click();
    });

    await test.step('[1]', async () => {
      await page.getByRole('textbox', { name: 'field 22' }).fill('[1]');
      await expect(page.getByRole('textbox', { name: 'field 22' })).toHaveValue('[1]');
      // Not repeated: click-70 failed when it was recorded ([1]): await page.locator('[1]').click();
    });

    await test.step('!important', async () => {
      await page.getByRole('textbox', { name: 'field 23' }).fill('!important');
      await expect(page.getByRole('textbox', { name: 'field 23' })).toHaveValue('!important');
      // Not repeated: click-73 failed when it was recorded (!important): await page.locator('!important').click();
    });

    await test.step('|', async () => {
      await page.getByRole('textbox', { name: 'field 24' }).fill('|');
      await expect(page.getByRole('textbox', { name: 'field 24' })).toHaveValue('|');
      // Not repeated: click-76 failed when it was recorded (|): await page.locator('|').click();
    });

    await test.step('>', async () => {
      await page.getByRole('textbox', { name: 'field 25' }).fill('>');
      await expect(page.getByRole('textbox', { name: 'field 25' })).toHaveValue('>');
      // Not repeated: click-79 failed when it was recorded (>): await page.locator('>').click();
    });

    await test.step('? q', async () => {
      await page.getByRole('textbox', { name: 'field 26' }).fill('? q');
      await expect(page.getByRole('textbox', { name: 'field 26' })).toHaveValue('? q');
      // Not repeated: click-82 failed when it was recorded (? q): await page.locator('? q').click();
    });

    await test.step('\u202etxt.exe', async () => {
      await page.getByRole('textbox', { name: 'field 27' }).fill('\u202etxt.exe');
      await expect(page.getByRole('textbox', { name: 'field 27' })).toHaveValue('\u202etxt.exe');
      // Not repeated: click-85 failed when it was recorded (\u202etxt.exe): await page.locator('\u202etxt.exe').click();
    });

    await test.step('tab\there', async () => {
      await page.getByRole('textbox', { name: 'field 28' }).fill('tab\there');
      await expect(page.getByRole('textbox', { name: 'field 28' })).toHaveValue('tab\there');
      // Not repeated: click-88 failed when it was recorded (tab here): await page.locator('tab\there').click();
    });

    await test.step('👩\u200d👩\u200d👧', async () => {
      await page.getByRole('textbox', { name: 'field 29' }).fill('👩\u200d👩\u200d👧');
      await expect(page.getByRole('textbox', { name: 'field 29' })).toHaveValue(
        '👩\u200d👩\u200d👧',
      );
      // Not repeated: click-91 failed when it was recorded (👩\u200d👩\u200d👧): await page.locator('👩\u200d👩\u200d👧').click();
    });

    await test.step('#{ruby} %s {{mustache}}', async () => {
      await page.getByRole('textbox', { name: 'field 30' }).fill('#{ruby} %s {{mustache}}');
      await expect(page.getByRole('textbox', { name: 'field 30' })).toHaveValue(
        '#{ruby} %s {{mustache}}',
      );
      // Not repeated: click-94 failed when it was recorded (#{ruby} %s {{mustache}}): await page.locator('#{ruby} %s {{mustache}}').click();
    });

    await test.step("'", async () => {
      await page.getByRole('textbox', { name: 'field 31' }).fill("'");
      await expect(page.getByRole('textbox', { name: 'field 31' })).toHaveValue("'");
      // Not repeated: click-97 failed when it was recorded ('): await page.locator("'").click();
    });

    await test.step('"', async () => {
      await page.getByRole('textbox', { name: 'field 32' }).fill('"');
      await expect(page.getByRole('textbox', { name: 'field 32' })).toHaveValue('"');
      // Not repeated: click-100 failed when it was recorded ("): await page.locator('"').click();
    });

    await test.step('\\', async () => {
      await page.getByRole('textbox', { name: 'field 33' }).fill('\\');
      await expect(page.getByRole('textbox', { name: 'field 33' })).toHaveValue('\\');
      // Not repeated: click-103 failed when it was recorded (\): await page.locator('\\').click();
    });

    await test.step('`', async () => {
      await page.getByRole('textbox', { name: 'field 34' }).fill('`');
      await expect(page.getByRole('textbox', { name: 'field 34' })).toHaveValue('`');
      // Not repeated: click-106 failed when it was recorded (`): await page.locator('`').click();
    });

    await test.step(' ', async () => {
      await page.getByRole('textbox', { name: 'field 35' }).fill(' ');
      await expect(page.getByRole('textbox', { name: 'field 35' })).toHaveValue(' ');
      // Not repeated: click-109 failed when it was recorded ( ): await page.locator(' ').click();
    });

    await test.step('\u00a0nb', async () => {
      await page.getByRole('textbox', { name: 'field 36' }).fill('\u00a0nb');
      await expect(page.getByRole('textbox', { name: 'field 36' })).toHaveValue('\u00a0nb');
      // Not repeated: click-112 failed when it was recorded (\u00a0nb): await page.locator('\u00a0nb').click();
    });

    await test.step('true', async () => {
      await page.getByRole('textbox', { name: 'field 37' }).fill('true');
      await expect(page.getByRole('textbox', { name: 'field 37' })).toHaveValue('true');
      // Not repeated: click-115 failed when it was recorded (true): await page.locator('true').click();
    });

    await test.step('=1+1', async () => {
      await page.getByRole('textbox', { name: 'field 38' }).fill('=1+1');
      await expect(page.getByRole('textbox', { name: 'field 38' })).toHaveValue('=1+1');
      // Not repeated: click-118 failed when it was recorded (=1+1): await page.locator('=1+1').click();
    });

    await test.step('<<', async () => {
      await page.getByRole('textbox', { name: 'field 39' }).fill('<<');
      await expect(page.getByRole('textbox', { name: 'field 39' })).toHaveValue('<<');
      // Not repeated: click-121 failed when it was recorded (<<): await page.locator('<<').click();
    });

    await test.step('...', async () => {
      await page.getByRole('textbox', { name: 'field 40' }).fill('...');
      await expect(page.getByRole('textbox', { name: 'field 40' })).toHaveValue('...');
      // Not repeated: click-124 failed when it was recorded (...): await page.locator('...').click();
    });

    await test.step('---', async () => {
      await page.getByRole('textbox', { name: 'field 41' }).fill('---');
      await expect(page.getByRole('textbox', { name: 'field 41' })).toHaveValue('---');
      // Not repeated: click-127 failed when it was recorded (---): await page.locator('---').click();
    });

    await test.step('é́', async () => {
      await page.getByRole('textbox', { name: 'field 42' }).fill('é́');
      await expect(page.getByRole('textbox', { name: 'field 42' })).toHaveValue('é́');
      // Not repeated: click-130 failed when it was recorded (é́): await page.locator('é́').click();
    });

    await test.step('0o17', async () => {
      await page.getByRole('textbox', { name: 'field 43' }).fill('0o17');
      await expect(page.getByRole('textbox', { name: 'field 43' })).toHaveValue('0o17');
      // Not repeated: click-133 failed when it was recorded (0o17): await page.locator('0o17').click();
    });

    await test.step('\ufeffbom', async () => {
      await page.getByRole('textbox', { name: 'field 44' }).fill('\ufeffbom');
      await expect(page.getByRole('textbox', { name: 'field 44' })).toHaveValue('\ufeffbom');
      // Not repeated: click-136 failed when it was recorded (\ufeffbom): await page.locator('\ufeffbom').click();
    });
  },
);
