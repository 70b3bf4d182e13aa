import { expect, test } from 'vitest'
import { placedForeignKey, widened } from './keys.ts'

test.each([
  ['PRIMARY KEY (company_id, audit_id)', 'place', 'PRIMARY KEY (company_id, place, audit_id)'],
  ['PRIMARY KEY (company_id, place, n)', 'place', 'PRIMARY KEY (company_id, place, n)'],
  ['PRIMARY KEY (company_id, n)', undefined, 'PRIMARY KEY (company_id, n)'],
  ['UNIQUE (code)', 'member_id', 'UNIQUE (member_id, code)'],
  [
    'CREATE UNIQUE INDEX one ON t USING btree (company_id, code) WHERE (n IS NULL)',
    'member_id',
    'CREATE UNIQUE INDEX one ON t USING btree (company_id, member_id, code) WHERE (n IS NULL)',
  ],
])('%s placed by %s', (definition, column, expected) => {
  expect(widened(definition, column)).toBe(expected)
})

const placed = new Map([
  ['member', 'member_id'],
  ['coupon', 'member_id'],
  ['coupon_redemption', 'member_id'],
  ['transaction', 'place'],
  ['transaction_item', 'place'],
  ['member_key', 'value'],
])
const byMember = 'FOREIGN KEY (company_id, member_id) REFERENCES member(company_id, member_id)'

test.each([
  // The key contains the column already.
  ['coupon', 'member', byMember, byMember],
  [
    'coupon_redemption',
    'coupon',
    'FOREIGN KEY (company_id, code) REFERENCES coupon(company_id, code) DEFERRABLE',
    'FOREIGN KEY (company_id, member_id, code) ' +
      'REFERENCES coupon(company_id, member_id, code) DEFERRABLE',
  ],
  [
    'transaction_item',
    'transaction',
    'FOREIGN KEY (company_id, id) REFERENCES transaction(company_id, id)',
    'FOREIGN KEY (company_id, place, id) REFERENCES transaction(company_id, place, id)',
  ],
  // A receipt without a member is at its own place.
  ['transaction', 'member', byMember, null],
  // Rows on different nodes.
  ['member_key', 'member', byMember, null],
  // A copied table refers to no placed one.
  ['store', 'member', byMember, null],
  ['member', 'store', 'FOREIGN KEY (company_id) REFERENCES store(company_id)', 'as it is'],
])('a foreign key from %s to %s', (table, target, definition, expected) => {
  const key = placedForeignKey({ table, name: 'key', target, definition }, placed)
  expect(key).toBe(expected === 'as it is' ? definition : expected)
})

const ofReturn = (key: string) => ({
  name: `transaction_return_company_id_${key}_fkey`,
  definition: `FOREIGN KEY (company_id, ${key}) REFERENCES transaction(company_id, id)`,
})

test('a foreign key from a return to its receipt, which can be at another place', () => {
  const [table, target] = ['transaction_return', 'transaction'] as const
  const of = new Map([...placed, ['transaction_return', 'place']])
  expect(placedForeignKey({ table, target, ...ofReturn('transaction_id') }, of)).toBeNull()
  expect(placedForeignKey({ table, target, ...ofReturn('original_id') }, of)).toBe(
    'FOREIGN KEY (company_id, place, original_id) REFERENCES transaction(company_id, place, id)',
  )
})
