import CheckCircleIcon from 'virtual:icons/check-circle'
import InfoIcon from 'virtual:icons/info'
import WarningIcon from 'virtual:icons/warning'
import WarningCircleIcon from 'virtual:icons/warning-circle'
import { useEffect, useRef, type ReactNode } from 'react'

type NoticeTone = 'danger' | 'warning' | 'info' | 'success'

export type NoticeProps = {
  tone: NoticeTone
  children: ReactNode
  /** A button or a link for the next step. */
  action?: ReactNode
  /** Present when the page opened, so it does not interrupt a screen reader. */
  quiet?: boolean | undefined
  /** The page does not scroll to the notice: a clerk may be tapping somewhere else already. */
  staysPut?: boolean | undefined
}

const looks = {
  danger: { ground: 'bg-danger-tint', icon: 'text-danger', Icon: WarningCircleIcon },
  warning: { ground: 'bg-warning-tint', icon: 'text-warning', Icon: WarningIcon },
  info: { ground: 'bg-info-tint', icon: 'text-info', Icon: InfoIcon },
  success: { ground: 'bg-success-tint', icon: 'text-success', Icon: CheckCircleIcon },
} as const

/** A message next to its cause. Icon and text repeat the meaning of the colour. */
export function Notice({ tone, children, action, quiet, staysPut = false }: NoticeProps) {
  const { ground, icon, Icon } = looks[tone]
  const role = quiet ? undefined : tone === 'danger' || tone === 'warning' ? 'alert' : 'status'
  const box = useRef<HTMLDivElement>(null)
  // In a low sheet the notice may be outside the visible part.
  useEffect(() => {
    if (role === 'alert' && !staysPut) box.current?.scrollIntoView({ block: 'nearest' })
  }, [role, staysPut])
  return (
    <div
      ref={box}
      role={role}
      className={
        `flex flex-wrap items-center gap-x-4 gap-y-2 rounded-button px-4 py-3 ${ground} ` +
        'forced-colors:border forced-colors:border-[CanvasText]'
      }
    >
      <div className="flex min-w-52 flex-1 gap-2.5">
        <Icon size="1.5em" className={`shrink-0 ${icon}`} aria-hidden="true" />
        <div className="min-w-0 text-body text-balance text-ink">{children}</div>
      </div>
      {action}
    </div>
  )
}
