import { expect, test } from 'vitest'
import { fieldFixture } from '../company/fieldFixture.ts'
import { emptyValues, toWire } from './values.ts'

test('an unticked box is false, an empty text is null', () => {
  const fields = [fieldFixture('paperless', 'boolean'), fieldFixture('petName', 'text')]
  const written = toWire(fields, emptyValues(fields, '852'), () => null)
  expect(written).toEqual({ paperless: false, petName: null })
})
