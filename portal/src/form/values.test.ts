import { expect, test } from 'vitest'
import { testField } from '../company/testField.ts'
import { emptyValues, writtenOf } from './values.ts'

test('a box that nobody ticked says no, where a text that nobody typed says nothing', () => {
  const fields = [testField('paperless', 'boolean'), testField('petName', 'text')]
  const written = writtenOf(fields, emptyValues(fields, '852'), () => null)
  expect(written).toEqual({ paperless: false, petName: null })
})
