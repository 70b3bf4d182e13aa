import type { ReactNode } from 'react'

export type TagTone = 'warning' | 'onWarning' | 'danger' | 'success' | 'info' | 'neutral'

const tones: Record<TagTone, string> = {
  warning: 'bg-warning-tint text-warning',
  /** On paper that has the colour of a warning. */
  onWarning: 'border text-warning',
  danger: 'bg-danger-tint text-danger',
  success: 'bg-success-tint text-success',
  info: 'bg-info-tint text-info',
  neutral: 'bg-sunken text-ink2',
}

/** Marks an exception ("Ends in 3 days", "Cancelled"), never the normal case. */
export function Tag({ tone, children }: { tone: TagTone; children: ReactNode }) {
  return (
    <span
      className={
        `inline-block rounded-tag px-2 py-0.5 text-caption font-semibold ${tones[tone]} ` +
        'forced-colors:border forced-colors:border-[CanvasText]'
      }
    >
      {children}
    </span>
  )
}
