import { useLingui } from '@lingui/react/macro'
import { ActionNotice } from '../kit/action/ActionNotice.tsx'
import { UnclearButtons } from '../kit/action/UnclearButtons.tsx'
import { useOnline } from '../kit/device/online.ts'
import { Button } from '../ui/page/Button.tsx'
import type { useRegistration } from './useRegistration.ts'

type Registration = Pick<
  ReturnType<typeof useRegistration>,
  'state' | 'action' | 'busy' | 'open' | 'edit'
>

type SubmitBarProps = {
  registration: Registration
  /** The company's form is loaded: without its terms no customer can be registered. */
  ready: boolean
  /** The refusal is already shown at its field. */
  quiet: boolean
}

/** The button that sends the form, always visible, and notices about the result. */
export function SubmitBar({ registration, ready, quiet }: SubmitBarProps) {
  const { t } = useLingui()
  const { state } = registration
  return (
    <div className="form-bar">
      <div className="mx-auto flex w-full max-w-[60rem] flex-col gap-3 px-4 medium:px-6">
        {state.step === 'refused' && quiet ? null : <RegistrationNotice state={state} />}
        <div className="flex flex-col medium:flex-row-reverse">
          {registration.open ? (
            <UnclearButtons
              state={state}
              action={registration.action}
              label={t({ id: 'reg.submit', message: 'Register' })}
              onEdit={registration.edit}
            />
          ) : (
            <Sending busy={registration.busy} ready={ready} />
          )}
        </div>
      </div>
    </div>
  )
}

/** The result of a registration. */
export function RegistrationNotice({ state }: { state: Registration['state'] }) {
  const { t } = useLingui()
  return (
    <ActionNotice
      state={state}
      unknown={t({
        id: 'reg.unknown',
        message: "We couldn't confirm the result. Do not register again before checking.",
      })}
      intact={t({ id: 'reg.intact', message: 'The member has not been registered yet.' })}
    />
  )
}

function Sending({ busy, ready }: { busy: boolean; ready: boolean }) {
  const { t } = useLingui()
  const online = useOnline()
  return (
    <div className="flex flex-col medium:min-w-56">
      <Button
        type="submit"
        kind="filled"
        size="large"
        busy={busy}
        busyLabel={t({ id: 'reg.busy', message: 'Registering…' })}
        disabled={!busy && (!online || !ready)}
        reason={
          online
            ? t({ id: 'reg.notReady', message: 'The terms have not been loaded yet.' })
            : t({ id: 'off.short', message: "You're offline." })
        }
      >
        {t({ id: 'reg.submit', message: 'Register' })}
      </Button>
    </div>
  )
}
