import { expect, test } from 'vitest'
import { maskedNumber } from './name.ts'

test('a masked mobile number shows its country and its last digits', () => {
  expect(maskedNumber('852', '51234567')).toBe('+852 •••• 4567')
  expect(maskedNumber(null, '51234567')).toBe('•••• 4567')
  expect(maskedNumber('1', '12345')).toBe('+1 •••• 45')
})
