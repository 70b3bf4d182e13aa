import { useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailed } from './LoadFailed.tsx'
import { Waiting } from './Waiting.tsx'

type LoadedProps<T> = {
  query: UseQueryResult<T>
  /** The name of the block for error messages, such as "Points". */
  name: string
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** A block that loads and fails on its own, so that other blocks stay usable. */
export function Loaded<T>({ query, name: block, skeleton, children }: LoadedProps<T>) {
  const { t } = useLingui()
  if (query.data !== undefined) return children(query.data)
  const again = () => void query.refetch()
  if (query.isPending) return <Waiting skeleton={skeleton} onAgain={again} />
  return (
    <LoadFailed error={query.error} busy={query.isFetching} onAgain={again}>
      {t({ id: 'home.blockFailed', message: `${block} could not be loaded.` })}
    </LoadFailed>
  )
}
