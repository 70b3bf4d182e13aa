import type { ComponentProps, ReactNode } from 'react'
import { BackLink } from './BackLink.tsx'

type PageTitleProps = {
  title: ReactNode
  /** A line below the title. */
  note?: ReactNode
  /** Where the arrow leads. */
  back: ComponentProps<typeof BackLink>
}

/** The heading of a page that belongs to no tab, with the link back in front of it. */
export function PageTitle({ title, note, back }: PageTitleProps): ReactNode {
  return (
    <div className="flex items-start gap-2">
      <BackLink {...back} />
      <div className="min-w-0 pt-2">
        <h1 className="text-title-l">{title}</h1>
        {note === undefined ? null : <p className="num text-body text-ink2">{note}</p>}
      </div>
    </div>
  )
}
