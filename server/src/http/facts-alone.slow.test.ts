import { permissions } from '@tillside/contract/wire/permissions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callsShowing,
  callsWith,
  crawlFacts,
  factCompany,
  factTexts,
  guardedCalls,
} from '../testing/hostile/fact-crawl.ts'

let company: Awaited<ReturnType<typeof factCompany>>
beforeAll(async () => {
  company = await factCompany()
})
afterAll(() => company.close())

test.each(permissions)('%s alone allows its calls and shows no other fact', async (permission) => {
  const crawled = await crawlFacts(company, `only-${permission}`)
  const refused = callsWith(crawled, ({ code }) => code === 10000)
  expect(guardedCalls[permission].filter((name) => refused.includes(name))).toEqual([])
  const facts = factTexts(crawled)
  const others = permissions.filter((other) => other !== permission)
  const shown = others.flatMap((other) =>
    callsShowing(crawled, facts[other]).map((name) => `${name} shows ${other}`),
  )
  expect(shown).toEqual([])
})
