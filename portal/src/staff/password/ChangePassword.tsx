import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PasswordField } from '../../ui/field/PasswordField.tsx'
import type { PasswordErrors } from './passwordErrors.ts'
import { PasswordSheet } from './PasswordSheet.tsx'
import { usePasswordChange } from './usePasswordChange.ts'

type Props = { open: boolean; onClose: () => void }

/**
 * Changes the clerk's password; the server then ends every session of the account, including this
 * one.
 */
export function ChangePassword({ open, onClose }: Props): ReactNode {
  const { t } = useLingui()
  const { origin, next, again, ...change } = usePasswordChange(onClose)
  const { errors: found, busy, left, clearError, submit } = change
  const errors = useErrorTexts(found)
  const shared = {
    showLabel: t({ id: 'login.show', message: 'Show password' }),
    hideLabel: t({ id: 'login.hide', message: 'Hide password' }),
    maxLength: 256,
    readOnly: busy,
  }

  return (
    <PasswordSheet
      open={open}
      title={t({ id: 'set.changePw', message: 'Change Password' })}
      label={<Trans id="pw.do">Change</Trans>}
      errors={found}
      busy={busy}
      left={left}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <PasswordField
        {...shared}
        ref={origin}
        label={t({ id: 'pw.current', message: 'Current password' })}
        error={errors.origin}
        autoComplete="current-password"
        onChange={() => clearError('origin')}
      />
      <PasswordField
        {...shared}
        ref={next}
        label={t({ id: 'pw.new', message: 'New password' })}
        hint={t({ id: 'pw.rule', message: '8 to 16 characters, no spaces' })}
        error={errors.next}
        autoComplete="new-password"
        onChange={() => clearError('next')}
      />
      <PasswordField
        {...shared}
        ref={again}
        label={t({ id: 'pw.again', message: 'New password again' })}
        error={errors.again}
        autoComplete="new-password"
        onChange={() => clearError('again')}
      />
    </PasswordSheet>
  )
}

function useErrorTexts(found: PasswordErrors) {
  const { t } = useLingui()
  const texts = {
    origin: {
      required: t({ id: 'pw.currentReq', message: 'please type current password' }),
      wrong: t({ id: 'login.wrongPassword', message: 'please type the correct password' }),
    },
    next: {
      required: t({ id: 'pw.newReq', message: 'please type new password' }),
      format: t({ id: 'pw.format', message: 'new password format is not correct' }),
      common: t({
        id: 'pw.common',
        message: 'new password format is not correct: this password is too common',
      }),
    },
    again: {
      required: t({ id: 'pw.againReq', message: 'type the new password again to confirm it' }),
      mismatch: t({
        id: 'pw.mismatch',
        message: 'new password and password confirmation do not match',
      }),
    },
  }
  return {
    origin: found.origin && texts.origin[found.origin],
    next: found.next && texts.next[found.next],
    again: found.again && texts.again[found.again],
  }
}
