import { useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../ui/page/Button.tsx'
import { Notice } from '../../ui/page/Notice.tsx'
import { Waiting } from './Waiting.tsx'

type LoadedProps<T> = {
  query: UseQueryResult<T>
  /** What is loading, in the clerk's words: "Points". */
  name: string
  skeleton: ReactNode
  children: (data: T) => ReactNode
}

/** One block of a page: it waits and fails by itself, and the blocks beside it stay usable. */
export function Loaded<T>({ query, name: block, skeleton, children }: LoadedProps<T>) {
  const { t } = useLingui()
  if (query.data !== undefined) return children(query.data)
  const again = () => void query.refetch()
  if (query.isPending) return <Waiting skeleton={skeleton} onAgain={again} />
  return (
    <Notice
      tone="danger"
      action={
        <Button kind="outlined" size="small" busy={query.isFetching} onClick={again}>
          {t({ id: 'common.retry', message: 'Try again' })}
        </Button>
      }
    >
      {t({ id: 'home.blockFailed', message: `${block} could not be loaded.` })}
    </Notice>
  )
}
