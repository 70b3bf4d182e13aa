import type * as z from 'zod/mini'
import type { Definition } from '../../company/definition.ts'

type Register = NonNullable<z.input<typeof Definition>['register']>
type Field = Register['fields'][number]

const texts = (text: string) => ({ 'en-US': text, 'zh-HK': `${text}（港）` })
const option = (code: string) => ({ code, names: texts(code) })

/** A field of a register form; its label is its name. */
export function field(name: string, type: Field['type'], changes: Partial<Field> = {}): Field {
  return { name, labels: texts(name), type, ...changes }
}

/** A register form with a field of every type. */
export const testRegister: Register = {
  fields: [
    field('firstName', 'text', { required: true, maxLength: 50 }),
    field('lastName', 'text', { maxLength: 50 }),
    field('gender', 'select', { options: [option('F'), option('M')] }),
    field('birthday', 'date', { editable: false }),
    field('mobile', 'mobile', { required: true }),
    field('email', 'email'),
    field('address', 'region'),
    field('petName', 'text', { maxLength: 200 }),
    field('locker', 'text', { pattern: '[A-Z]\\d{2}' }),
    field('size', 'select', { options: [option('S'), option('L')] }),
    field('likes', 'multiSelect', { options: [option('tea'), option('cake'), option('jam')] }),
    field('anniversary', 'date'),
    field('children', 'number'),
    field('paperless', 'boolean'),
  ],
  verification: { mobile: false, email: false },
}
