import type { ReactNode } from 'react'

export type ReceiptRowProps = { label: ReactNode; value: ReactNode; strong?: boolean | undefined }

/**
 * A label on the left and a value on the right. It is its own `<dl>`, so it can be used anywhere.
 */
export function ReceiptRow({ label, value, strong }: ReceiptRowProps) {
  return (
    <dl className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-1.5">
      <dt className={strong ? 'text-strong' : 'text-small text-ink2'}>{label}</dt>
      <dd
        className={
          'num ms-auto min-w-0 text-end break-words ' + (strong ? 'text-strong' : 'text-body')
        }
      >
        {value}
      </dd>
    </dl>
  )
}
