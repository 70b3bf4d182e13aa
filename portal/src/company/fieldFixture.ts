import type { RegisterField } from '@tillside/contract/company'

/** A field of a form for tests, which nothing is asked of but its kind. */
export function fieldFixture(name: string, type: RegisterField['type']): RegisterField {
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
