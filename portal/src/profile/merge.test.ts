import { Member } from '@tillside/contract/member'
import { expect, test } from 'vitest'
import { fieldFixture } from '../company/fieldFixture.ts'
import { type FormValues, valuesOf } from '../form/values.ts'
import { mergeValues } from './merge.ts'

const fields = [
  fieldFixture('firstName', 'text'),
  fieldFixture('birthday', 'date'),
  fieldFixture('sizes', 'multiSelect'),
]

const member = (change: Partial<Member> = {}): Member =>
  Member.parse({
    memberCode: 'A1',
    uniCustomerNo: 'U1',
    cardNumber: '1',
    firstName: 'Ada',
    lastName: 'Byron',
    gender: null,
    birthday: '1990-06-14',
    countryCode: null,
    mobile: null,
    email: null,
    address: { country: null, province: null, city: null, district: null, detail: null },
    addressLine: null,
    registrationDate: '2020-01-01',
    registrationStore: null,
    tnc: { acceptedVersion: null, acceptedAt: null, currentVersion: '1', needsResign: false },
    marketingOptIn: false,
    tier: { code: 'green', name: 'Green', level: 1, endedOn: null },
    customFields: { sizes: ['S'] },
    version: 1,
    ...change,
  })

const typedOver = (change: (values: FormValues) => void): FormValues => {
  const values = valuesOf(fields, member(), '852')
  change(values)
  return values
}
const together = (now: Member, typed: FormValues) =>
  mergeValues(fields, { before: member(), now, typed }, '852', () => null)

test('fields that only others changed are taken over; typed ones stay', () => {
  const { values, conflicts } = together(
    member({ birthday: '1991-06-14', version: 2 }),
    typedOver((typed) => {
      typed.text['firstName'] = 'Adele'
    }),
  )
  expect(values.text['firstName']).toBe('Adele')
  expect(values.day['birthday']?.year).toBe('1991')
  expect(conflicts).toMatchObject([{ field: { name: 'birthday' }, both: false }])
})

test('fields that both changed keep the typed value and are reported as a conflict', () => {
  const { values, conflicts } = together(
    member({ firstName: 'Augusta', customFields: { sizes: ['M'] } }),
    typedOver((typed) => {
      typed.text['firstName'] = 'Adele'
      typed.many['sizes'] = ['M']
    }),
  )
  expect(values.text['firstName']).toBe('Adele')
  expect(conflicts).toMatchObject([
    { field: { name: 'firstName' }, both: true },
    { field: { name: 'sizes' }, both: false },
  ])
})

test('a field that others have emptied is empty here too', () => {
  const { values, conflicts } = together(
    member({ birthday: null }),
    typedOver(() => undefined),
  )
  expect(values.day['birthday']).toEqual({ year: '', month: '', day: '' })
  expect(conflicts).toHaveLength(1)
})
