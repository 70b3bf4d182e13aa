import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Envelope } from '@tillside/contract/wire/endpoint'
import {
  integrationBase,
  itemReasons,
  movementTypes,
  scopes,
  webhookEvents,
} from '@tillside/contract/integration'
import { expect, test } from 'vitest'
import { projectRoot } from '../process/config.ts'
import { testCompany } from '../testing/factories/company.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testKey } from '../testing/factories/key.ts'

const page = readFileSync(join(projectRoot, 'docs/integration.md'), 'utf8')
const call = /```sh\ncurl -s "\$TILLSIDE(\S+)" [^\n]*?(?:-d '([\s\S]*?)')?\n```/
const example = new RegExp(`${call.source}(?:\\n\\n\`\`\`json\\n([\\s\\S]*?)\`\`\`)?`, 'g')

test('docs/integration.md: every curl is answered as the page says', async () => {
  const { stores, points } = testDefinition('a')
  const company = await testCompany({
    stores: [...stores, { code: 'NY001', name: 'Bryant Park' }],
    points: { ...points, perUnit: '5' },
  })
  const { key } = await testKey(company)
  const examples = [...page.matchAll(example)]
  expect(examples.length).toBe(page.match(/\ncurl /g)?.length)
  for (const [, path = '', body, wanted] of examples) {
    const response = await company.app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url: integrationBase + path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: body }),
    })
    const { code, data } = Envelope.parse(response.json())
    expect([path, code]).toEqual([path, 0])
    if (wanted !== undefined) expect(data).toEqual(answerOf(wanted))
  }
  await company.close()
})

/** The page's answer; `…` matches any text. */
function answerOf(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown) => (value === '…' ? expect.any(String) : value))
}

test('docs/integration.md names every scope, reason, movement and event', () => {
  const words = [...scopes, ...itemReasons, ...movementTypes, ...webhookEvents]
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([])
})
