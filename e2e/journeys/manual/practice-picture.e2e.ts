import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type PerLanguage } from '@tillside/contract/wire/language'
import { expect, test } from '../../support/fixtures.ts'

// The picture of the manual's page about practice companies. `npm run manual` keeps it.

const folder = join(import.meta.dirname, '../../../docs/manual')
const isKept = process.env['MANUAL_PICTURES'] === '1'
const companies: PerLanguage<string> = {
  'en-US': 'aurora',
  'zh-CN': 'lotus',
  'zh-HK': 'harbour',
  'zh-TW': 'formosa',
}

test.use({ viewport: { width: 390, height: 700 }, deviceScaleFactor: 2, colorScheme: 'light' })

for (const language of languages) {
  test(
    `shows the tasks of a practice company in ${language}`,
    { tag: isKept ? [] : ['@full'] },
    async ({ page, shop, startSession }) => {
      const practice = await shop.practice(await shop.company(companies[language]))
      await startSession(practice, 'full')
      await page.goto(`/${practice}/member/home/view?cardNumber=9900000010001&lang=${language}`)
      const tasks = page.locator('section > button[aria-expanded]').first()
      await expect(tasks).toContainText('1')
      await tasks.click()
      await expect(page.getByRole('listitem').getByRole('img')).toHaveCount(1)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      const bytes = await page.screenshot({ type: 'webp', quality: 60, animations: 'disabled' })
      expect(bytes.length).toBeGreaterThan(5000)
      if (!isKept) return
      mkdirSync(join(folder, language), { recursive: true })
      writeFileSync(join(folder, language, 'practice.webp'), bytes)
    },
  )
}
