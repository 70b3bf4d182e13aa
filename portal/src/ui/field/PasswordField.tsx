import EyeIcon from 'virtual:icons/eye'
import EyeSlashIcon from 'virtual:icons/eye-slash'
import { useState } from 'react'
import { IconButton } from '../page/IconButton.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'trailing'> & {
  showLabel: string
  hideLabel: string
}

/** A password field that can show its text: several mistyped passwords would block the account. */
export function PasswordField({ showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...field}
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton
          label={shown ? hideLabel : showLabel}
          icon={
            shown ? (
              <EyeSlashIcon size="1.5rem" aria-hidden="true" />
            ) : (
              <EyeIcon size="1.5rem" aria-hidden="true" />
            )
          }
          onClick={() => setShown(!shown)}
          className="text-ink2"
        />
      }
    />
  )
}
