import { expect, test } from 'vitest'
import { practiceColour, practiceIdentifier } from './definition.ts'
import { practiceMemberCount, practiceMembers } from './members.ts'

test('its colour is far from the company’s own', () => {
  expect(practiceColour('#00704a')).toBe('#6b2fb3')
  expect(practiceColour('#8a1c4a')).toBe('#b34700')
  expect(practiceColour('#777777')).toBe('#6b2fb3')
  expect(practiceIdentifier('lotus')).toBe('lotus-practice')
})

test('the members have contacts and cards of their own in every calling code', () => {
  const clock = {
    today: '2026-11-22',
    daysAgo: () => '2026-01-01',
    at: () => '2026-01-01T00:00:00Z',
  }
  for (const code of ['1', '44', '61', '65', '81', '86', '852', '853', '886', '49']) {
    const definition = {
      languages: ['en-US', 'zh-HK'],
      callingCodes: [code],
      terms: { version: '1' },
      stores: [{ code: 'S1', name: 'One', active: true }],
    }
    // @ts-expect-error: only these parts of the definition are read
    const members = practiceMembers(definition, clock)
    const mobiles = new Set(members.map(({ mobile }) => mobile))
    expect([code, mobiles.size]).toEqual([code, practiceMemberCount])
  }
})
