import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { companyFolder } from '../testing/factories/folder.ts'
import { FolderError, readFolder } from './folder.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tillside-folder-'))
})
afterAll(() => rm(home, { recursive: true }))

async function problemsOf(edit: (yaml: string) => string): Promise<string[]> {
  const { folder } = await companyFolder(home, edit)
  const yaml = (await readFile(join(folder, 'company.yaml'), 'utf8')).split('\n')
  const error = await readFolder(folder).then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof FolderError)) throw new Error('the folder was accepted')
  for (const { line, field } of error.problems) {
    expect(error.message).toContain(`company.yaml:${line}:`)
    expect(error.message).toContain(field)
  }
  return error.problems.map((p) => `${p.field} | ${p.message} | ${yaml[p.line - 1]?.trim()}`)
}

describe('errors name the line and the field', () => {
  const cases: [string, (yaml: string) => string, RegExp[]][] = [
    ['broken YAML', (y) => y.replace('color:', 'color: ['), [/^ \| .+/]],
    [
      'an unknown field',
      (y) => y.replace('logo:', 'logos:'),
      [/^logo \| is missing/, /^logos \| is not a known field \| logos:/],
    ],
    ['a colour', (y) => y.replace('#00704a', 'green'), [/^color \| .* \| color:/]],
    [
      'a number instead of a text',
      (y) => y.replace(/threshold: .300.$/m, 'threshold: 300'),
      [/^tiers\.1\.threshold \| must be a text: put it in quotes \| threshold: 300/],
    ],
    [
      'a time zone',
      (y) => y.replace('America/New_York', 'America/York'),
      [/^timeZone \| is not an IANA time zone \| timeZone:/],
    ],
    [
      'a missing language',
      (y) => y.replace(/\n +zh-HK: 極光咖啡櫃位/, ''),
      [/^titles \| has no text in zh-HK \| titles:/],
    ],
    [
      'an unknown menu',
      (y) => y.replace(/menus: \[member\]/, 'menus: [members]'),
      [/^groups\.0\.menus\.0 \| there is no menu "members"/],
    ],
    [
      'an unknown store',
      (y) => y.replace('redeemStores: [NY002]', 'redeemStores: [NY777]'),
      [/^coupons\.4\.redeemStores\.0 \| there is no store "NY777"/],
    ],
    [
      'a permission',
      (y) => y.replace('permissions: []', 'permissions: [fly]'),
      [/^groups\.2\.permissions\.0 \| /],
    ],
    [
      'menus with an unknown icon, without an address, and in a circle',
      (y) =>
        y.replace(
          /menus:\n(?= {2}- id)/,
          'menus:\n' +
            '  - names: &n { en-US: A, zh-CN: A, zh-HK: A, zh-TW: A }\n' +
            "    id: a\n    identifier: a\n    icon: dragon\n    url: '/a'\n" +
            '    parent: b\n    sort: 5\n' +
            '  - { id: b, identifier: b, names: *n, parent: a, sort: 6 }\n' +
            '  - { id: c, identifier: c, names: *n, sort: 7 }\n',
        ),
      [
        /^menus\.0\.icon \| "dragon" is not one of identification-card, /,
        /^menus\.0\.parent \| "b" is below the menu itself/,
        /^menus\.1\.parent \| "a" is below the menu itself/,
        /^menus\.2\.url \| is missing, and the menu has no child menus/,
      ],
    ],
    [
      'a currency that does not exist',
      (y) => y.replace(/^color:/m, 'currency: { code: XQQ, shown: true }\ncolor:'),
      [/^currency\.code \| "XQQ" is not a currency of ISO 4217/],
    ],
    [
      'amounts with more decimals than the currency',
      (y) =>
        y
          .replace(/^color:/m, 'currency: { code: JPY, shown: true }\ncolor:')
          .replace("threshold: '1200'", "threshold: '1200.5'"),
      [/^tiers\.2\.threshold \| has more decimals than the currency, 0/],
    ],
    [
      'tiers out of order',
      (y) => y.replace(/threshold: .1200.$/m, "threshold: '300.00'"),
      [
        /^tiers\.2\.threshold \| is not above that of "green".* \| threshold: '300.00'/,
        /^tiers\.2\.renewThreshold \| is above the threshold, 300.00/,
      ],
    ],
    [
      'a code twice',
      (y) => y.replace('code: NY002', 'code: NY001'),
      [
        /^stores\.1\.code \| "NY001" occurs twice \| - code: NY001/,
        /no store "NY002"/,
        /no store "NY002"/,
      ],
    ],
    [
      'an invisible character in a name',
      (y) => y.replace(/(en-US: Aurora) (Coffee)$/m, '$1\u200b$2'),
      [/^names\.en-US \| has a control or invisible character/],
    ],
    [
      "another folder's name",
      (y) => y.replace(/identifier: copy-\w+/, 'identifier: other'),
      [/^identifier \| is not the folder's name/],
    ],
    [
      'a gift with a value',
      (y) => y.replace('kind: gift\n', "kind: gift\n    value: '1'\n"),
      [/^coupons\.1\.value \| a gift has no value/],
    ],
    [
      'more than 100 percent',
      (y) => y.replace(/value: .50.$/m, "value: '101'"),
      [/^coupons\.2\.value \| is above 100 percent/],
    ],
    [
      'a missing logo',
      (y) => y.replace('logo.svg', 'other.svg'),
      [/^logo \| there is no file other.svg/],
    ],
    [
      'points without value',
      (y) => y.replace(/pointValue: .+/, "pointValue: '0.00'"),
      [/^points\.exchange\.pointValue \| is not above 0/],
    ],
    [
      'a promotion without points, in an unknown store',
      (y) =>
        y
          .replace(/multiplier: '2' # double/, "multiplier: '1'")
          .replace('stores: [NY003]', 'stores: [NY777]'),
      [
        /^points\.promotions\.0\.stores\.0 \| there is no store "NY777"/,
        /^points\.promotions\.0\.award\.multiplier \| is not above 1/,
      ],
    ],
    [
      'a promotion that ends before it begins',
      (y) => y.replace("to: '2027-12-31'", "to: '2025-12-31'"),
      [/^points\.promotions\.0\.to \| ends before it begins/],
    ],
    [
      'a webhook with the same secret twice',
      (y) =>
        `${y}\nwebhooks:\n  - id: crm\n    url: https://crm.example.com/\n` +
        '    events: [member.created]\n    secretVariable: WEBHOOK_SECRET_A\n' +
        '    secondSecretVariable: WEBHOOK_SECRET_A\n',
      [/^webhooks\.0\.secondSecretVariable \| is also the first secret/],
    ],
    [
      'a webhook with a wrong secret variable',
      (y) =>
        `${y}\nwebhooks:\n  - id: crm\n    url: http://crm.example.com/\n` +
        '    events: [member.created]\n    secretVariable: DATABASE_URL\n',
      [/^webhooks\.0\.url \| /, /^webhooks\.0\.secretVariable \| /],
    ],
    [
      'a form field with two meanings, and one that cannot be filled in',
      (y) =>
        y
          .replace('- name: nameOnCup', '- name: tncVersion')
          .replace('- name: ownsGrinder', '- name: constructor')
          .replace('nameOnCup,', 'email,')
          .replace('ownsGrinder,', 'email,')
          .replace('nameOnCup,', 'email,')
          .replace('ownsGrinder,', 'email,')
          .replace('type: email', 'type: text')
          .replace('type: number', 'type: select'),
      [
        /^register\.fields\.5\.type \| of email is email \| type: text/,
        /^register\.fields\.8\.name \| is a reserved word/,
        /^register\.fields\.10\.type \| needs options to choose from/,
        /^register\.fields\.11\.name \| is a reserved word/,
      ],
    ],
    [
      'a profile with unknown fields, and verification of a missing contact',
      (y) =>
        y
          .replace('      favouriteRoast,', '      roast,')
          .replace('    - name: email', '    - name: mail')
          .replace('email: false', 'email: true'),
      [
        /^profileFields\.shown\.3 \| there is no field "email"/,
        /^profileFields\.shown\.5 \| there is no field "roast"/,
        /^profileFields\.editable\.4 \| there is no field "email"/,
        /^register\.verification\.email \| is not a field of the form/,
      ],
    ],
    [
      'a form without a name',
      (y) => y.replaceAll('required: true\n      maxLength: 60', 'maxLength: 60'),
      [/^register\.fields \| has no required firstName or lastName/],
    ],
    [
      'a tier that earns nothing',
      (y) => y.replace("multiplier: '1.25'", "multiplier: '0.000'"),
      [/^tiers\.2\.multiplier \| is not above 0.* \| multiplier: '0.000'/],
    ],
    [
      'a tier that costs more to keep than to reach',
      (y) => y.replace("renewThreshold: '1000'", "renewThreshold: '1200.01'"),
      [/^tiers\.2\.renewThreshold \| is above the threshold, 1200.* \| renewThreshold: '1200.01'/],
    ],
    [
      // Points of 31 January expire on 28 February, after 28 days.
      'points that expire before they can be spent',
      (y) => y.replace('pendingDays: 0', 'pendingDays: 29').replace(/months: \d+/, 'months: 1'),
      [/^points\.pendingDays \| is longer .* 2026-01-31 expire on 2026-02-28, .* \| pending/],
    ],
    [
      'points that pay nothing',
      (y) =>
        y
          .replace('minimum: 500', 'minimum: 99')
          .replace(/increment: .+/, 'increment: 1')
          .replace(/pointValue: .+/, "pointValue: '0.0001'"),
      [/^points\.exchange\.minimum \| is worth nothing: 99 points at 0.0001 pay 0.00/],
    ],
    [
      'an impossible exchange',
      (y) => y.replace('minimum: 500', 'minimum: 550'),
      [/^points\.exchange\.minimum \| is not a multiple/],
    ],
  ]
  test.each(cases)('%s', async (_, edit, expected) => {
    const problems = await problemsOf(edit)
    expect(problems).toHaveLength(expected.length)
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern)
  })
})

test('the rules that still make sense are accepted', async () => {
  const { folder } = await companyFolder(home, (y) =>
    y
      .replace('pendingDays: 0', 'pendingDays: 28')
      .replace(/months: \d+/, 'months: 1')
      .replace("renewThreshold: '1000'", "renewThreshold: '1200'"),
  )
  expect((await readFolder(folder)).definition.points.pendingDays).toBe(28)
})

test('a folder that says nothing gets the safe settings', async () => {
  const { folder } = await companyFolder(home, (yaml) => yaml)
  const { maskContacts, allowances, currency } = (await readFolder(folder)).definition
  expect(maskContacts).toBe(true)
  expect(allowances.lookUps).toEqual({ members: 60, minutes: 10 })
  expect(currency).toEqual({ code: null, shown: false })
})
