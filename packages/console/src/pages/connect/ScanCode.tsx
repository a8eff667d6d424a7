import type { ReactNode } from 'react'
import { CopyField } from '../../components/CopyField.tsx'
import { QrCode } from '../../components/QrCode.tsx'
import styles from './ScanCode.module.css'

export interface ScanCodeProps {
  /** What the address is, and what the picture is. */
  readonly labels: { readonly address: string; readonly qrCode: string }
  readonly address: string
  readonly children?: ReactNode
}

/** An address for another device: as a code to scan, and to copy. */
export function ScanCode({ labels, address, children }: ScanCodeProps) {
  return (
    <div className={styles.code}>
      <QrCode label={labels.qrCode} content={address} />
      <div className={styles.beside}>
        <CopyField label={labels.address} value={address} />
        {children}
      </div>
    </div>
  )
}
