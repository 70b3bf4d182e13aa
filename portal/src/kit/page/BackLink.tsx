import { useLingui } from '@lingui/react/macro'
import ArrowLeftIcon from 'virtual:icons/arrow-left'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type BackLinkProps = {
  to: string
  search: Record<string, string | string[]>
  /** Aligns the link; by default its arrow is in line with the text of the page. */
  className?: string
}

/** The link back from a page that belongs to no tab. */
export function BackLink({ className = '-ms-3', ...address }: BackLinkProps): ReactNode {
  const { t } = useLingui()
  return (
    <Link
      {...address}
      aria-label={t({ id: 'common.back', message: 'Back' })}
      className={
        `${className} grid size-12 shrink-0 place-items-center rounded-button text-ink ` +
        'print:hidden'
      }
    >
      <ArrowLeftIcon size={24} aria-hidden="true" />
    </Link>
  )
}
