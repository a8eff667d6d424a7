import { useQuery } from '@tanstack/react-query'
import { findObstacle, type Obstacle, webBluetooth } from '../../real-glasses/bluetooth.ts'

/** What keeps the page from using Bluetooth; null if nothing is known to, undefined until that was found out. */
export function useBluetoothObstacle(): Obstacle | null | undefined {
  const { data } = useQuery({
    queryKey: ['bluetooth', 'obstacle'],
    queryFn: async () => (await findObstacle(webBluetooth(), window.isSecureContext)) ?? null,
    gcTime: 0,
  })
  return data
}
