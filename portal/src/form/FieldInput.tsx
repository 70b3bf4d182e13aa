import type { ComponentProps } from 'react'
import { useController } from 'react-hook-form'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { TextField } from '../ui/field/TextField.tsx'
// Loaded with the forms, because the first page has a limited size.
import '../ui/style/forms.css'
import { ChoiceInput, ManyInput, TickInput } from './ChoiceInput.tsx'
import { DayInput } from './DayInput.tsx'
import { FieldLabel } from './FieldLabel.tsx'
import { MobileInput } from './MobileInput.tsx'
import type { MemberForm } from './useMemberForm.ts'
import { useFieldErrorTexts } from './useFieldErrorTexts.ts'
import { type Field, idOf } from './values.ts'
import { later } from '../ui/load/later.tsx'

// Few companies use it, and it is collapsed at first.
const AddressInput = later(
  async () => (await import('./AddressInput.tsx')).AddressInput,
  <Skeleton height="3.25rem" radius="button" />,
)

export type FieldInputProps = { field: Field; memberForm: MemberForm }

/** The input for a field's type. */
export function FieldInput({ field, memberForm }: FieldInputProps) {
  switch (field.type) {
    case 'mobile':
      return <MobileInput field={field} memberForm={memberForm} />
    case 'date':
      return <DayInput field={field} memberForm={memberForm} />
    case 'select':
      return <ChoiceInput field={field} memberForm={memberForm} />
    case 'multiSelect':
      return <ManyInput field={field} memberForm={memberForm} />
    case 'boolean':
      return <TickInput field={field} memberForm={memberForm} />
    case 'region':
      return <AddressInput field={field} memberForm={memberForm} />
    case 'text':
    case 'email':
    case 'number':
      return <TextInput field={field} memberForm={memberForm} />
  }
}

type InputProps = ComponentProps<'input'>

const keyboards: Partial<Record<Field['type'], InputProps>> = {
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none' },
  number: { inputMode: 'numeric' },
}

const capitals: InputProps = { autoCapitalize: 'words' }

type TextInputProps = FieldInputProps & Pick<ComponentProps<typeof TextField>, 'trailing'>

/** A text, an e-mail address or a number. */
export function TextInput({ field, memberForm, ...rest }: TextInputProps) {
  const errorText = useFieldErrorTexts()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `text.${field.name}`,
  })
  const isName = field.name === 'firstName' || field.name === 'lastName'
  return (
    <TextField
      {...keyboards[field.type]}
      {...(isName ? capitals : {})}
      {...rest}
      id={idOf(field)}
      label={<FieldLabel field={field} />}
      value={input.value ?? ''}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      aria-required={field.required || undefined}
      error={errorText(field, fieldState.error)}
      onChange={(event) => {
        input.onChange(event.target.value)
        memberForm.form.clearErrors(`text.${field.name}`)
      }}
      onBlur={() => {
        input.onBlur()
        memberForm.leave(field)
      }}
    />
  )
}
