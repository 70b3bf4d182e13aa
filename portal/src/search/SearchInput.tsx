import { useLingui } from '@lingui/react/macro'
import CaretDownIcon from 'virtual:icons/caret-down'
import type { ComponentProps, RefObject } from 'react'
import { takesScans } from '../kit/device/scan.ts'
import { useCaret } from '../member/useCaret.ts'
import { TextField } from '../ui/field/TextField.tsx'
import { searchField } from './SearchKeys.tsx'
import { type Method, toHalfWidth, parseAs } from './parse.ts'
import type { SearchField } from './useSearchField.ts'
import { useSearchTexts } from './useSearchTexts.ts'

type InputProps = ComponentProps<'input'>

/** Long enough for every method, because the text may be meant for another one. */
const maxLength = 254

const keyboards: Record<Method, InputProps> = {
  mobile: { type: 'tel', inputMode: 'tel' },
  card: { inputMode: 'numeric' },
  code: { autoCapitalize: 'characters' },
  email: { type: 'email', inputMode: 'email' },
}

type SearchInputProps = {
  field: SearchField
  input: RefObject<HTMLInputElement | null>
  busy: boolean
  /** The page shows its own keypad, so the device's keyboard stays hidden. */
  keypad: boolean
  onType: () => void
}

/** The search field; it accepts every kind of look-up. */
export function SearchInput({ field, input, busy, keypad, onType }: SearchInputProps) {
  const { methodNames, errorTexts } = useSearchTexts()
  const { method, text, errorCode } = field
  const keepCaret = useCaret(input, text)
  const checkOnLeaving = () => {
    if (method !== 'email' || text === '') return
    if (parseAs('email', text, () => null) === 'emailBad') field.setErrorCode('emailBad')
  }
  return (
    <TextField
      // A new input for each method: browsers change the on-screen keyboard only for another
      // element.
      key={method}
      ref={input}
      {...takesScans}
      {...searchField}
      {...keyboards[method]}
      {...(keypad ? { inputMode: 'none' } : {})}
      big={method !== 'email'}
      label={methodNames[method]}
      labelHidden
      value={text}
      readOnly={busy}
      maxLength={maxLength}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="search"
      error={errorCode === null ? undefined : errorTexts[errorCode]}
      leading={
        method === 'mobile' ? (
          <CallingCode
            value={field.callingCode}
            options={field.callingCodes}
            disabled={busy}
            onChange={(code) => {
              field.chooseCountry(code)
              onType()
              input.current?.focus()
            }}
          />
        ) : undefined
      }
      onChange={({ target, nativeEvent }) => {
        if (method === 'mobile') keepCaret(target)
        // Text that an input method is still composing must not be changed.
        const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
        field.type(isComposing ? target.value : toHalfWidth(target.value))
        onType()
      }}
      onCompositionEnd={({ currentTarget }) => field.type(toHalfWidth(currentTarget.value))}
      onPaste={(event) => {
        if (busy || !field.paste(event.clipboardData.getData('text'))) return
        event.preventDefault()
        onType()
        // The method has a new input, which gets the focus.
        requestAnimationFrame(() => input.current?.focus())
      }}
      onBlur={checkOnLeaving}
    />
  )
}

type CallingCodeProps = {
  value: string
  options: readonly string[]
  disabled: boolean
  onChange: (value: string) => void
}

/** The country of a number; plain text if the company has only one. */
function CallingCode({ value, options, disabled, onChange }: CallingCodeProps) {
  const { t } = useLingui()
  const look = 'num text-title font-normal text-ink2'
  if (options.length < 2) return <span className={`${look} ps-4`}>+{value}</span>
  return (
    <span className="relative flex items-center self-stretch">
      <select
        aria-label={t({ id: 'search.callingCode', message: 'Country code' })}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        className={`${look} h-full appearance-none rounded-field bg-transparent ps-3.5 pe-7`}
      >
        {options.map((code) => (
          <option key={code} value={code} className="bg-surface text-ink">
            +{code}
          </option>
        ))}
      </select>
      <CaretDownIcon
        size={16}
        className="pointer-events-none absolute end-1.5 text-ink2"
        aria-hidden="true"
      />
    </span>
  )
}
