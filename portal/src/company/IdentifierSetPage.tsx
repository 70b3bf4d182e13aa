import { Identifier } from '@tillside/contract/auth'
import { failures } from '@tillside/contract/wire/failures'
import { Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import * as z from 'zod/mini'
import { reasonOf, Refusal } from '../kit/call/failure.ts'
import { useOnline } from '../kit/device/online.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { TextField } from '../ui/field/TextField.tsx'
import { fetchTheme, lastIdentifier } from './company.ts'
import { takeEarlyFocus, earlyInput } from './earlyInput.ts'

type IdentifierError = 'required' | 'notFound' | 'configFailed'

function errorCodeOf(error: unknown): IdentifierError {
  const isUnknown = error instanceof Refusal && error.code === failures.identifierUnknown.code
  return isUnknown ? 'notFound' : 'configFailed'
}

type Props = {
  /** The identifier whose settings could not be loaded, and why, if so. */
  failed?: { identifier: string; error: unknown } | undefined
  /** Whether the page was opened by a login link, which is not used without a company. */
  fromLink?: boolean
  /** Called with an identifier that exists. */
  onFound: (identifier: string) => void
}

/** Asks which company this device belongs to. */
export function IdentifierSetPage({ failed, fromLink = false, onFound }: Props): ReactNode {
  const { t } = useLingui()
  const field = useRef<HTMLInputElement>(null)
  const [errorCode, setErrorCode] = useState<IdentifierError | null>(
    failed ? errorCodeOf(failed.error) : null,
  )
  const [reason, setReason] = useState(failed ? reasonOf(failed.error) : null)
  const [busy, setBusy] = useState(false)
  const online = useOnline()

  useLayoutEffect(() => {
    const wasFocused = takeEarlyFocus() !== null
    if (wasFocused || matchMedia('(hover: hover)').matches) field.current?.focus()
  }, [])

  async function lookUp(typed: string): Promise<void> {
    const parsed = z.safeParse(Identifier, typed)
    if (typed.trim() === '') return refuse('required')
    if (!parsed.success) return refuse('notFound')
    setBusy(true)
    try {
      const { identifier } = await fetchTheme(parsed.data)
      onFound(identifier)
    } catch (error) {
      setBusy(false)
      setReason(reasonOf(error))
      refuse(errorCodeOf(error))
    }
  }

  function refuse(why: IdentifierError): void {
    setErrorCode(why)
    field.current?.select()
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!busy) void lookUp(field.current?.value ?? '')
  }

  const errors = {
    required: t({ id: 'idn.required', message: 'Enter your Business identifier' }),
    notFound: t({ id: 'idn.notFound', message: 'Not found Business identifier' }),
    configFailed: null,
  }
  const error = errorCode === null ? null : errors[errorCode]

  return (
    // With `dialog`, pressing the button before the script has loaded does nothing. The default
    // would submit the form, and put its fields into the address.
    <form noValidate method="dialog" onSubmit={submit} className="grid grid-cols-1 gap-6">
      <h1 className="text-title-l">
        <Trans id="idn.title">Choose your business</Trans>
      </h1>
      {fromLink ? (
        <Notice tone="warning">
          <Trans id="idn.link">
            The login link was not used, because it leads to no known business. Open the complete
            link again, or ask for a new one.
          </Trans>
        </Notice>
      ) : null}
      {errorCode === 'configFailed' && (
        <Notice tone="danger">
          <Trans id="idn.configFailed">The company settings could not be loaded.</Trans>
          {reason === null ? null : <span className="block text-small text-ink2">{reason}</span>}
        </Notice>
      )}
      <TextField
        ref={field}
        name="identifier"
        label={t({ id: 'idn.label', message: 'Business identifier' })}
        placeholder={t({ id: 'idn.placeholder', message: 'e.g. northwind' })}
        hint={t({ id: 'idn.hint', message: "Ask your manager if you don't know it." })}
        {...(error === null ? {} : { error })}
        defaultValue={earlyInput('identifier') || (failed?.identifier ?? lastIdentifier())}
        maxLength={64}
        autoComplete="organization"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        readOnly={busy}
        onChange={() => setErrorCode(null)}
      />
      <Button
        kind="filled"
        size="large"
        type="submit"
        busy={busy}
        busyLabel={t({ id: 'idn.looking', message: 'Looking up…' })}
        disabled={!online}
        {...(online ? {} : { reason: t({ id: 'off.short', message: "You're offline." }) })}
      >
        <Trans id="common.continue">Continue</Trans>
      </Button>
    </form>
  )
}
