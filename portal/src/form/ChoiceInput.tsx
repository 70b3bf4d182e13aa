import { useId } from 'react'
import { useController } from 'react-hook-form'
import { FieldGroup } from '../ui/field/FieldGroup.tsx'
import { SelectField } from '../ui/field/SelectField.tsx'
import { Tick } from '../ui/field/Tick.tsx'
import { useControlled } from '../ui/field/useControlled.ts'
import { FieldLabel } from './FieldLabel.tsx'
import type { MemberForm } from './useMemberForm.ts'
import { useFieldErrorTexts } from './useFieldErrorTexts.ts'
import { type Field, idOf } from './values.ts'

type InputProps = { field: Field; memberForm: MemberForm }

/** Up to this many options are shown as buttons in a row; more become a list. */
const inSight = 3

/** One of the field's options. */
export function ChoiceInput({ field, memberForm }: InputProps) {
  const errorText = useFieldErrorTexts()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `text.${field.name}`,
  })
  const error = errorText(field, fieldState.error)
  const write = (code: string) => {
    input.onChange(code)
    memberForm.form.clearErrors(`text.${field.name}`)
  }
  if (field.options.length > inSight) {
    return (
      <SelectField
        id={idOf(field)}
        label={<FieldLabel field={field} />}
        value={input.value ?? ''}
        options={field.options.map(({ code, name }) => ({ value: code, label: name }))}
        aria-required={field.required || undefined}
        error={error}
        onChange={write}
        onBlur={input.onBlur}
      />
    )
  }
  return (
    <FieldGroup label={<FieldLabel field={field} />} error={error}>
      <Choices field={field} value={input.value ?? ''} onChange={write} />
    </FieldGroup>
  )
}

type ChoicesProps = { field: Field; value: string; onChange: (code: string) => void }

function Choices({ field, value, onChange }: ChoicesProps) {
  const name = useId()
  const restore = useControlled()
  return (
    <div className="flex flex-wrap gap-2">
      {field.options.map((option, index) => (
        <label key={option.code} className="choice">
          <input
            id={index === 0 ? idOf(field) : undefined}
            type="radio"
            name={name}
            value={option.code}
            checked={option.code === value}
            onChange={() => {
              onChange(option.code)
              restore()
            }}
            // Pressing the chosen option of an optional field clears it.
            onClick={() => {
              if (!field.required && option.code === value) onChange('')
            }}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
          <span className="min-w-0">{option.name}</span>
        </label>
      ))}
    </div>
  )
}

/** Any number of the field's options. */
export function ManyInput({ field, memberForm }: InputProps) {
  const errorText = useFieldErrorTexts()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `many.${field.name}`,
  })
  const chosen = input.value ?? []
  const choose = (code: string, isChosen: boolean) => {
    // Keeps the order of the options, regardless of the order of the clicks.
    const codes = field.options.map((option) => option.code)
    const wanted = (one: string) => (one === code ? isChosen : chosen.includes(one))
    input.onChange(codes.filter((one) => wanted(one)))
    memberForm.form.clearErrors(`many.${field.name}`)
  }
  return (
    <FieldGroup
      label={<FieldLabel field={field} />}
      error={errorText(field, fieldState.error)}
      onLeave={input.onBlur}
    >
      <div className="grid grid-cols-1 gap-x-4 medium:grid-cols-2">
        {field.options.map(({ code, name }, index) => (
          <Tick
            key={code}
            id={index === 0 ? idOf(field) : undefined}
            label={name}
            checked={chosen.includes(code)}
            onChange={(isChosen) => choose(code, isChosen)}
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** A checkbox. Unticked means "not answered", not "no". */
export function TickInput({ field, memberForm }: InputProps) {
  const errorText = useFieldErrorTexts()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `tick.${field.name}`,
  })
  return (
    <Tick
      id={idOf(field)}
      label={<FieldLabel field={field} />}
      checked={input.value ?? false}
      error={errorText(field, fieldState.error)}
      aria-required={field.required || undefined}
      onChange={(checked) => {
        input.onChange(checked)
        memberForm.form.clearErrors(`tick.${field.name}`)
      }}
      onBlur={input.onBlur}
    />
  )
}
