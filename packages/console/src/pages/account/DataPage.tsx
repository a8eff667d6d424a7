import { AccountFrame } from './AccountFrame.tsx'
import { DataExport } from './DataExport.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'

/** The data of the user: take them along, or delete them. */
export function DataPage() {
  return (
    <AccountFrame>
      <DataExport />
      <DeleteAccount />
    </AccountFrame>
  )
}
