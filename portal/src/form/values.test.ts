import { expect, test } from 'vitest'
import { emptyValues, type Field, writtenOf } from './values.ts'

const field = (name: string, type: Field['type']): Field => ({
  name,
  type,
  label: name,
  required: false,
  editable: true,
  order: 0,
  options: [],
  maxLength: null,
  pattern: null,
})

test('a box that nobody ticked says no, where a text that nobody typed says nothing', () => {
  const fields = [field('paperless', 'boolean'), field('petName', 'text')]
  const written = writtenOf(fields, emptyValues(fields, '852'), () => null)
  expect(written).toEqual({ paperless: false, petName: null })
})
