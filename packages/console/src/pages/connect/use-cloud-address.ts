import { useQuery } from '@tanstack/react-query'
import { reachabilityTestQuery } from '../../api/reachability.ts'
import { cloudAddress } from './cloud-address.ts'

/** Returns the address at which other devices reach the cloud; that of the page until the public one is known. */
export function useCloudAddress(): string {
  const { data } = useQuery(reachabilityTestQuery)
  const { origin } = window.location
  return data === undefined ? origin : cloudAddress(data.publicUrl, origin)
}
