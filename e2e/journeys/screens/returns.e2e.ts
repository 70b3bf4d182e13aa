import { redeemPoints } from '@tillside/contract/points'
import { languages } from '@tillside/contract/wire/language'
import { pointTypeNames } from '@tillside/server/company/dictionary/texts'
import { sheet } from '../../support/portal/member-page.ts'
import { expect, rowTag } from '../../support/fixtures.ts'
import { test } from '../../support/judges/inspect.ts'
import { englishTextsOn } from '../../support/judges/language.ts'
import { addSales } from '../../support/demo/sales.ts'
import { patternOf, textsIn } from '../../support/portal/catalogue.ts'

// A customer spent the points of a sale, paid for another one with points, and returned both.

const source = 100000028

for (const [row, language] of languages.entries()) {
  test(
    `a debt, points that came back and a tier that was lost, in ${language}`,
    rowTag(row, 1),
    async ({ page, user, startSession, shop, api, inspect }) => {
      const tierNames = new Map<string, string | undefined>()
      const company = await shop.company('aurora', (definition) => {
        for (const { code, names } of definition.tiers) tierNames.set(code, names[language])
        return { ...definition, points: { ...definition.points, refundPolicy: 'debt' } }
      })
      const tier = (code: string): string => {
        const name = tierNames.get(code)
        if (name === undefined) throw new Error(`no tier ${code} in ${language}`)
        return name
      }
      const customer = await shop.customer(company)
      const { memberCode } = customer
      const token = await startSession(company, await shop.clerk(company))
      const occurredAt = `${new Date().toISOString().slice(0, 19)}Z`
      const [first, second] = [`COAT-${memberCode}`, `CAKE-${memberCode}`]
      const buy = (invoiceNumber: string, price: string) =>
        addSales(company, customer, [
          { lines: [['A', price, 1]], changes: { invoiceNumber, occurredAt } },
        ])
      const giveBack = (invoiceNumber: string, price: string) => {
        const original = { invoiceNumber, source }
        const changes = { invoiceNumber: `BACK-${invoiceNumber}`, occurredAt, original }
        return addSales(company, customer, [{ lines: [['A', price, -1]], changes }])
      }
      const spend = (input: object) => api.data(redeemPoints, { memberCode, ...input }, { token })
      await buy(first, '500.00')
      const half = { points: 500, transactionAmount: '10.00', invoiceNumber: second }
      await spend({ kind: 'transaction', ...half })
      await spend({ kind: 'gift', giftId: 'G-BEANS', quantity: 1 })
      await buy(second, '5.00')
      await giveBack(second, '5.00')
      await giveBack(first, '500.00')

      const words = textsIn(language)
      const text = (id: string, values: Record<string, string> = {}): string =>
        (words.get(id) ?? id).replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
      const check = async (state: string) => {
        expect.soft(await englishTextsOn(page, language), state).toEqual([])
        await inspect(`${state}, ${language}`)
      }
      const main = page.getByRole('main')
      await page.goto(`/${company}/member/home/point?code=${memberCode}&lang=${language}`)
      await expect(main.getByText(text('pt.debt', { n: '1,800' })).last()).toBeVisible()
      const parts = [pointTypeNames.refund[language], `BACK-${second}`, '+500']
      const back = main.getByRole('button', {
        name: new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}`),
      })
      await expect(back).toBeVisible()
      await user.tap(back)
      await expect(main.getByRole('link', { name: `BACK-${second}` })).toBeVisible()
      // The money that the 500 points had paid.
      await expect(main.getByText(text('pt.amount')).locator('..')).toContainText('5.00')
      await check('points, below zero')
      const balance = `^${text('home.points')} ?−1,800 ?${text('common.explain')}$`
      await user.tap(main.getByRole('button', { name: new RegExp(balance) }).last())
      await expect(sheet(page)).toHaveAccessibleName(text('why.debt', { all: '−1,800' }))
      const returns = sheet(page).getByRole('listitem')
      await expect(returns).toHaveText([
        new RegExp(`BACK-${first}.*−2,500${text('ret.owed')}1,800$`),
        new RegExp(`BACK-${second}.*${text('ret.back')}\\+500$`),
      ])
      await check('explain, below zero')

      await page.goto(`/${company}/member/home/view?code=${memberCode}&lang=${language}`)
      await expect(main.getByText(text('pt.debt', { n: '1,800' })).last()).toBeVisible()
      await check('home, below zero')
      await user.tap(main.getByRole('button', { name: /300\.00/ }).last())
      // The day stays open.
      const names = { from: tier('green'), to: tier('associate') }
      const line = text('why.returnedBy', { receipt: `BACK-${first}`, ...names })
      await expect(sheet(page).getByText(patternOf(line))).toBeVisible()
      await check('explain, a tier after a return')
    },
  )
}
