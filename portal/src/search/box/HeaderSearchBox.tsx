import type { ReactNode } from 'react'
import { SearchBox } from './SearchBox.tsx'
import { useSearching } from './useSearching.ts'

/** The search for the next customer in the header of a wide screen. */
export function HeaderSearchBox(): ReactNode {
  const searching = useSearching(null)
  return (
    <search className="hidden expanded:block">
      <SearchBox searching={searching} place="header" />
    </search>
  )
}
