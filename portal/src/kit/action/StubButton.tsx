import { useLingui } from '@lingui/react/macro'
import LockIcon from 'virtual:icons/lock-simple'
import { type ReactNode, useId } from 'react'
import { useOnline } from '../device/online.ts'
import { Button, type ButtonProps } from '../../ui/page/Button.tsx'

type StubButtonProps = Pick<ButtonProps, 'kind' | 'busy' | 'onClick' | 'aria-label'> & {
  children: ReactNode
}

/**
 * The button in the stub of a ticket. Without a network it shows a lock: the bar of the page says
 * the reason once, and only the accessible description repeats it.
 */
export function StubButton({ children, ...rest }: StubButtonProps) {
  const { t } = useLingui()
  const isOffline = !useOnline()
  const reason = useId()
  return (
    <>
      <Button
        {...rest}
        size="small"
        className={
          'w-min break-keep @max-[30rem]:px-2! @min-[30rem]:px-3! ' +
          (isOffline ? 'border-transparent! bg-transparent!' : '')
        }
        disabled={isOffline}
        {...(isOffline ? { 'aria-describedby': reason } : {})}
      >
        {isOffline ? (
          <>
            <span className="invisible">{children}</span>
            <LockIcon size={20} className="absolute inset-0 m-auto" aria-hidden="true" />
          </>
        ) : (
          children
        )}
      </Button>
      {isOffline ? (
        <span id={reason} className="sr-only">
          {t({ id: 'off.short', message: "You're offline." })}
        </span>
      ) : null}
    </>
  )
}
