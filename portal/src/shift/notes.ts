import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { listShiftNotes, type ShiftNote } from '@tillside/contract/activity'
import { call } from '../kit/call/call.ts'

/** The cache key of the notes. */
export const notesKey = ['shift', 'notes']

/** The notes of the clerk's store, newest first. */
export function useNotes(): UseQueryResult<ShiftNote[]> {
  return useQuery({
    queryKey: notesKey,
    queryFn: async ({ signal }) => {
      const { items } = await call(listShiftNotes, {}, { signal, quiet: true })
      return items
    },
    staleTime: 0,
  })
}
