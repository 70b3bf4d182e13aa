import { useLingui } from '@lingui/react/macro'
import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { type ComponentProps, type RefObject, useLayoutEffect, useRef } from 'react'
import { TextField } from '../ui/TextField.tsx'
import { caretBehind, digitsBefore, lookUpOf, type Method } from './typed.ts'
import { type SearchField, useSearchTexts } from './useSearchField.ts'

type InputProps = ComponentProps<'input'>

const keyboards: Record<Method, InputProps> = {
  mobile: { type: 'tel', inputMode: 'tel', maxLength: 24 },
  card: { inputMode: 'numeric', maxLength: 40 },
  code: { autoCapitalize: 'characters', maxLength: 40 },
  email: { type: 'email', inputMode: 'email', maxLength: 254 },
}

type SearchInputProps = {
  field: SearchField
  input: RefObject<HTMLInputElement | null>
  busy: boolean
  onType: () => void
}

/** The one big field; it takes a scanner's burst like typing, since Enter submits the form. */
export function SearchInput({ field, input, busy, onType }: SearchInputProps) {
  const { methodNames, troubles } = useSearchTexts()
  const { method, text, trouble } = field
  const keepCaret = useCaret(input, text)
  const checkOnLeaving = () => {
    if (method !== 'email' || text === '') return
    if (lookUpOf('email', text, () => null) === 'emailBad') field.setTrouble('emailBad')
  }
  return (
    <TextField
      // Another keyboard needs another input: browsers keep the old one while it has the focus.
      key={method}
      ref={input}
      {...keyboards[method]}
      big={method !== 'email'}
      label={methodNames[method]}
      labelHidden
      value={text}
      readOnly={busy}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="search"
      error={trouble === null ? undefined : troubles[trouble]}
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
      onChange={(event) => {
        if (method === 'mobile') keepCaret(event.target)
        field.type(event.target.value)
        onType()
      }}
      onPaste={(event) => {
        if (busy || !field.paste(event.clipboardData.getData('text'))) return
        event.preventDefault()
        onType()
        // Another method brought another input; the clerk goes on typing in it.
        requestAnimationFrame(() => input.current?.focus())
      }}
      onBlur={checkOnLeaving}
    />
  )
}

/** Grouping rewrites the field, which would throw the caret to its end. */
function useCaret(input: RefObject<HTMLInputElement | null>, text: string) {
  const digits = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (digits.current === null) return
    const at = caretBehind(text, digits.current)
    digits.current = null
    input.current?.setSelectionRange(at, at)
  }, [input, text])
  return ({ value, selectionStart }: HTMLInputElement) => {
    const caret = selectionStart ?? value.length
    digits.current = caret === value.length ? null : digitsBefore(value, caret)
  }
}

type CallingCodeProps = {
  value: string
  options: readonly string[]
  disabled: boolean
  onChange: (value: string) => void
}

/** The country of a number; where the company knows only one it is no choice. */
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
        className={`${look} h-full appearance-none rounded-field bg-transparent ps-4 pe-8`}
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
