import { useLingui } from '@lingui/react/macro'
import CaretDownIcon from 'virtual:icons/caret-down'
import { type ReactNode, useRef } from 'react'
import { useController } from 'react-hook-form'
import { ungrouped, resolveDeletion } from '../member/caret.ts'
import { useCallingCode, usePhones } from '../member/phones.ts'
import { useCaret } from '../member/useCaret.ts'
import { TextField } from '../ui/field/TextField.tsx'
import { useControlled } from '../ui/field/useControlled.ts'
import { FieldLabel } from './FieldLabel.tsx'
import type { MemberForm } from './useMemberForm.ts'
import { useFieldErrorTexts } from './useFieldErrorTexts.ts'
import { type Field, idOf, type PhoneTyped } from './values.ts'

type MobileInputProps = {
  field: Field
  memberForm: MemberForm
  /** Inside the frame, after the number: the button for the verification code. */
  trailing?: ReactNode
}

/** A mobile number with its country, grouped as that country writes it. */
export function MobileInput({ field, memberForm, trailing }: MobileInputProps) {
  const errorText = useFieldErrorTexts()
  const phones = usePhones()
  const { callingCodes, callingCode } = useCallingCode()
  const { field: input, fieldState } = useController({
    control: memberForm.form.control,
    name: `phone.${field.name}`,
  })
  const typed: PhoneTyped = input.value ?? { callingCode, number: '' }
  const shown = phones ? phones.grouped(typed.number, typed.callingCode) : typed.number
  const element = useRef<HTMLInputElement>(null)
  const keepCaret = useCaret(element, shown)
  const write = (next: PhoneTyped) => {
    input.onChange(next)
    memberForm.form.clearErrors(`phone.${field.name}`)
  }
  return (
    <TextField
      id={idOf(field)}
      ref={element}
      className="[&_.field-frame]:flex-wrap [&_input]:min-w-[9rem]"
      label={<FieldLabel field={field} />}
      type="tel"
      inputMode="tel"
      value={shown}
      maxLength={32}
      autoComplete="off"
      aria-required={field.required || undefined}
      error={errorText(field, fieldState.error)}
      leading={
        <CallingCode
          value={typed.callingCode}
          options={[...new Set([...callingCodes, typed.callingCode])]}
          onChange={(code) => {
            write({ ...typed, callingCode: code })
            element.current?.focus()
          }}
        />
      }
      trailing={trailing}
      onChange={({ target }) => {
        keepCaret(target)
        write({
          ...typed,
          number: ungrouped(resolveDeletion(shown, target.value.normalize('NFKC'))),
        })
      }}
      onPaste={(event) => {
        // A pasted number with a country code also changes the country.
        const pasted = event.clipboardData.getData('text').normalize('NFKC').trim()
        const number = pasted.startsWith('+') ? phones?.read(pasted, typed.callingCode) : null
        if (!number || !callingCodes.includes(number.countryCode)) return
        event.preventDefault()
        write({ callingCode: number.countryCode, number: number.mobile })
      }}
      onBlur={() => {
        input.onBlur()
        memberForm.leave(field)
      }}
    />
  )
}

type CallingCodeProps = {
  value: string
  options: readonly string[]
  onChange: (value: string) => void
}

/** The country of a number; plain text if the company has only one. */
function CallingCode({ value, options, onChange }: CallingCodeProps) {
  const { t } = useLingui()
  const restore = useControlled()
  if (options.length < 2) return <span className="num ps-3.5 text-ink2">+{value}</span>
  return (
    <span className="relative flex items-center self-stretch">
      <select
        aria-label={t({ id: 'search.callingCode', message: 'Country code' })}
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          restore()
        }}
        className={
          'num h-full min-h-12 appearance-none rounded-field bg-transparent ps-3.5 pe-8 text-ink2'
        }
      >
        {options.map((code) => (
          <option key={code} value={code} className="bg-surface text-ink">
            +{code}
          </option>
        ))}
      </select>
      <CaretDownIcon
        size={16}
        className="pointer-events-none absolute end-2.5 text-ink2"
        aria-hidden="true"
      />
    </span>
  )
}
