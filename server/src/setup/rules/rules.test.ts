import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRuleBook } from '@tillside/contract/rule-book'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tillside } from '../../testing/command.ts'
import { call, logIn, ok } from '../../testing/factories/company.ts'
import { companyFolder } from '../../testing/factories/folder.ts'
import { testMember } from '../../testing/factories/member.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { pointRules } from '../../testing/factories/spending.ts'
import { testShop } from '../../testing/factories/shop.ts'
import { standingTexts } from './standing-texts.ts'
import { valueTexts } from './value-texts.ts'

let home: string
const companies: { identifier: string; name: string }[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tillside-rules-'))
  for (const name of ['aurora', 'lotus', 'harbour', 'formosa']) {
    const copy = await companyFolder(home, undefined, name)
    expect(await tillside('company', 'apply', copy.folder)).toMatchObject({ code: 0 })
    companies.push({ identifier: copy.identifier, name })
  }
})
afterAll(() => rm(home, { recursive: true }))

async function rulesOf(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await tillside('company', 'rules', ...words)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return stdout
}

describe('company rules', () => {
  it('writes its examples in the decimals of the currency', async () => {
    const exchange = { minimum: 1, maximum: 99, increment: 1, pointValue: '1', maxShare: 0.5 }
    const points = { ...pointRules, exchange }
    const s = await testShop({ currency: { code: 'JPY', shown: true }, points })
    const page = await rulesOf(s.identifier)
    expect(page).toContain('A sale of 123 earns 123 points for a member of the tier Associate.')
    expect(page).toContain('Each 1 paid earns 1 point.')
    expect(page).toContain('worth 61.')
    expect(page).toContain('The return of goods for 36 takes back')
    expect(page).toMatch(/^\| Gold \| 3250 \| 3000 \| 123 \|$/m)
  })

  it('says that a promotion without an end has none', async () => {
    const names = { 'en-US': 'Always', 'zh-HK': '常設' }
    const always = { id: 'A', names, from: '2026-01-01', to: '2099-12-31' }
    const promotions = [{ ...always, award: { multiplier: '2' } }]
    const s = await testShop({ points: { ...pointRules, promotions } })
    expect(await rulesOf(s.identifier)).toContain('Always, from 01/01/2026, no end date.')
    const chinese = await rulesOf(s.identifier, '--language', 'zh-HK')
    expect(chinese).toContain('常設，2026/01/01起，不設結束日期。')
  })

  it('explains the rules with results of the engine, which a till then gets', async () => {
    const s = await testShop({
      points: {
        ...pointRules,
        perUnit: '1.5',
        pendingDays: 3,
        expiry: { kind: 'months', months: 12 },
        refund: 'debt',
        exchange: {
          minimum: 100,
          maximum: 5000,
          increment: 100,
          pointValue: '0.01',
          maxShare: 0.5,
        },
      },
    })
    const page = await rulesOf(s.identifier)
    expect(page).toMatch(/^# The rules of Test Company$/m)
    expect(page).toContain('A sale of 123.45 earns 185 points for a member of the tier Associate.')
    expect(page).toContain('Points can be spent 3 days after the sale.')
    expect(page).toContain('takes at most 5,000 points, worth 50.00.')
    expect(page).toContain('the balance falls below zero')
    expect(page).toContain('A tier that was reached by a returned sale is lost')
    expect(page).toContain('are given back in proportion, with their own expiry.')
    expect(page).toContain('Those that have expired meanwhile can be used for another 30 days.')
    expect(page).toContain(
      'The return of goods for 37.03 takes back 55 points; the return of the rest takes back 130.',
    )
    expect(page).toContain('- Mug: 50 points')
    expect(page).toContain('- A latte: 100 points')
    expect(page).toMatch(/^\| Gold \| 3250.00 \| 3000.00 \| 185 \|$/m)
    const member = await testMember(s)
    const sale = receipt([['TEA', '123.45', 1]])
    const part = { invoiceType: 'return', netSpend: '-37.03', totalAmount: '-37.03' } as const
    const rest = { ...part, netSpend: '-86.42', totalAmount: '-86.42' } as const
    for (const input of [sale, part, rest].map((one) =>
      one === sale ? sale : receipt([], { ...one, original: nameOf(sale) }),
    )) {
      await s.send(member.id, input)
    }
    expect(await s.entries(member.id)).toEqual([
      [0, 185],
      [8, -55],
      [8, -130],
    ])
    await s.close()
  })

  it('writes the singular after a 1, with the company’s own name of a point', async () => {
    const star = { singular: { 'en-US': 'star', 'zh-HK': '星' } }
    const names = { ...star, plural: { 'en-US': 'stars', 'zh-HK': '星' } }
    const exchange = { minimum: 1, maximum: 99, increment: 1, pointValue: '1.00', maxShare: null }
    const points = { ...pointRules, names, exchange, pendingDays: 1, refund: 'debt' as const }
    const s = await testShop({ points })
    const page = await rulesOf(s.identifier)
    expect(page).toContain('Each 1.00 paid earns 1 star.')
    expect(page).toContain('Stars can be spent 1 day after the sale.')
    expect(page).toContain('1 star pays 1.00.')
    expect(page).not.toMatch(/\b1 (?:stars|days|months|minutes)\b|\bpoints?\b/)
    await s.close()
  })

  it('counts points by 點 in Taiwan, where the name of points takes no number', () => {
    const texts = Object.values({ ...valueTexts, ...standingTexts }).map((text) => text['zh-TW'])
    expect(texts.filter((text) => /(?:\}|\d)\{points\}/.test(text))).toEqual([])
  })

  it('writes both forms in every language of each demo company', async () => {
    for (const { identifier, name } of companies) {
      const to = join(home, `${name}-rules`)
      await rulesOf(identifier, '--to', to)
      const files = await readdir(to)
      const written = languages.filter((language) => files.includes(`rules.${language}.md`))
      expect(files.sort()).toEqual(
        written.flatMap((one) => [`rules.${one}.html`, `rules.${one}.md`]).sort(),
      )
      for (const language of written) {
        const text = await rulesOf(identifier, '--language', language)
        const html = await rulesOf(identifier, '--language', language, '--html')
        expect(text).not.toMatch(/[{}]|undefined|null|NaN/)
        expect(text, 'days as a person reads them').not.toMatch(/\d{4}-\d{2}-\d{2}/)
        expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(6)
        expect(html).toContain(`<html lang="${language}">`)
        expect(html.match(/<h2>/g)?.length).toBe(text.match(/^## /gm)?.length)
      }
    }
  })

  it('shows a company’s own words as text', async () => {
    const names = { 'en-US': '<b>*Ann* & Co|', 'zh-HK': '安' }
    const s = await testShop({ names })
    expect(await rulesOf(s.identifier, '--html')).toContain(
      '<h1>The rules of &lt;b&gt;*Ann* &amp; Co|</h1>',
    )
    expect(await rulesOf(s.identifier)).toContain(String.raw`# The rules of \<b\>\*Ann\* & Co\|`)
    await s.close()
  })

  it('answers every clerk with the same book, in the language of the screen', async () => {
    const s = await testShop({ points: { ...pointRules, perUnit: '3' } })
    const other = await testShop()
    for (const language of ['en-US', 'zh-HK'] as const) {
      const answer = await rulesOf(s.identifier, '--language', language, '--json')
      for (const account of ['amy', 'ben']) {
        const options = { token: await logIn(s, account), language }
        expect(await ok(s, getRuleBook, {}, options)).toEqual(JSON.parse(answer))
      }
    }
    const theirs = await ok(other, getRuleBook, {}, { token: await logIn(other) })
    expect(JSON.stringify(theirs)).not.toContain('earns 3 points')
    expect(await call(s, getRuleBook, {})).toMatchObject({ status: 401 })
    await Promise.all([s.close(), other.close()])
  })

  it('refuses a language that the company does not have, and an unknown company', async () => {
    const s = await testShop()
    const refused: [string[], RegExp][] = [
      [[s.identifier, '--language', 'zh-TW'], /has no texts in zh-TW; it has en-US, zh-HK\n$/],
      [[s.identifier, '--language', 'fr-FR'], /Allowed choices are/],
      [['nobody'], /^there is no company "nobody"\n$/],
    ]
    for (const [words, expected] of refused) {
      const { code, stdout, stderr } = await tillside('company', 'rules', ...words)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(expected)
    }
    await s.close()
  })
})
