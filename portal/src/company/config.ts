import { useQuery } from '@tanstack/react-query'
import { getOtherConfig, type OtherConfig } from '@tillside/contract/company'
import { call } from '../kit/call.ts'

/** What the company has set beyond its theme; asked for once, undefined until it is known. */
export function useConfig(): OtherConfig | undefined {
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call(getOtherConfig, {}, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
