import { useQuery } from '@tanstack/react-query'
import { getOtherConfig } from '@tillside/contract/company'
import { useState } from 'react'
import { call } from '../kit/call.ts'
import { session } from '../kit/session.ts'

const key = () => session.keyOf('calling-code')

/** The countries whose numbers the company's members have, and the one last used on this device. */
export function useCallingCode() {
  const { data: config } = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call(getOtherConfig, {}, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState(() => localStorage.getItem(key()))
  const callingCodes = config?.callingCodes ?? []
  const remembered = callingCodes.find((code) => code === chosen)
  return {
    callingCodes,
    callingCode: remembered ?? callingCodes[0] ?? '1',
    chooseCallingCode: (code: string) => {
      localStorage.setItem(key(), code)
      setChosen(code)
    },
  }
}
