import type { Field } from './values.ts'

/** A field of a form for tests, which nothing is asked of but its kind. */
export function testField(name: string, type: Field['type']): Field {
  return {
    name,
    type,
    label: name,
    required: false,
    editable: true,
    order: 0,
    options: [],
    maxLength: null,
    pattern: null,
  }
}
