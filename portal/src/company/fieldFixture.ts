import type { RegisterField } from '@tillside/contract/company'

/** A form field for tests: optional, and without any rule except its type. */
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
    minSelections: null,
    pattern: null,
  }
}
