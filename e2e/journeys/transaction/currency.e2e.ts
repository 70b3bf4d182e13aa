import { expect, test, rowTag } from '../../support/fixtures.ts'
import { openMember } from '../../support/portal/member-page.ts'

// The sign of an amount: none by default, else that of the company's currency (decision 88). Its
// decimals are those of the currency (decision 98).

const shown: [string, { code: string | null; shown: boolean }, string, RegExp][] = [
  ['none by default', { code: null, shown: false }, 'en-US', /^[\d,]+\.\d\d$/],
  ['none unless it is shown', { code: 'HKD', shown: false }, 'zh-CN', /^[\d,]+\.\d\d$/],
  ['the company’s', { code: 'HKD', shown: true }, 'en-US', /^HK\$[\d,]+\.\d\d$/],
  ['USD in English', { code: null, shown: true }, 'en-US', /^\$[\d,]+\.\d\d$/],
  ['the yen’s, without decimals', { code: 'JPY', shown: true }, 'en-US', /^¥[\d,]+$/],
  [
    'the dinar’s, with three decimals',
    { code: 'KWD', shown: true },
    'en-US',
    /^KWD\u00a0[\d,]+\.\d{3}$/,
  ],
  ['CNY in Chinese', { code: null, shown: true }, 'zh-CN', /^¥[\d,]+\.\d\d$/],
]

for (const [n, [name, currency, language, amount]] of shown.entries()) {
  test.describe(name, () => {
    test.use({ locale: language })

    test(`the sign of amounts is ${name}`, rowTag(n, 3), async ({ page, startSession, shop }) => {
      const company = await shop.company('aurora', (definition) => ({ ...definition, currency }))
      await startSession(company, await shop.clerk(company))
      const { memberCode } = await shop.customer(company)
      await openMember(page, company, memberCode)
      await expect(page.getByText(amount).first()).toBeVisible()
    })
  })
}
