import type { ReactNode } from 'react'

type Props = {
  logo: ReactNode
  /** Content from the page: the search for the next member. */
  middle?: ReactNode
  settings: ReactNode
  /** A member's pages: on a phone the member's own bar takes its place. */
  isOfMember: boolean
}

/** The bar at the top of every page after login. The server also renders it into the first page. */
export function Header({ logo, middle, settings, isOfMember }: Props): ReactNode {
  return (
    <header
      className={
        // With large letters on a narrow screen the logo shrinks, never the buttons.
        'sticky top-0 z-20 flex h-14 shrink-0 items-center gap-1 border-b border-line bg-surface ' +
        'ps-4 pe-1 medium:gap-3 medium:pe-3 low:h-11 narrow:static ' +
        (isOfMember ? 'max-medium:hidden' : '')
      }
    >
      {logo}
      <div className="ms-auto flex shrink-0 items-center medium:gap-3">
        {middle}
        {settings}
      </div>
    </header>
  )
}
