import { expect, test } from 'vitest'
import { fieldFixture } from '../company/fieldFixture.ts'
import { emptyValues, writtenOf } from './values.ts'

test('a box that nobody ticked says no, where a text that nobody typed says nothing', () => {
  const fields = [fieldFixture('paperless', 'boolean'), fieldFixture('petName', 'text')]
  const written = writtenOf(fields, emptyValues(fields, '852'), () => null)
  expect(written).toEqual({ paperless: false, petName: null })
})
