import type { CSSProperties } from 'react'
import styles from './Lens.module.css'

/** Bytes of a BMP file up to its height. */
const HEADER_BYTES = 26

/** A picture in the pixels of the lens. @param data a BMP file in Base64 */
export function Bitmap({ data, label }: { readonly data: string; readonly label: string }) {
  const size = readSize(data)
  return (
    <div className={styles.picture}>
      <img
        src={`data:image/bmp;base64,${data}`}
        alt={label}
        style={{ '--picture-width': size?.width ?? 0 } as CSSProperties}
      />
    </div>
  )
}

/** The size in the header of a BMP file; undefined if there is no such header. */
function readSize(base64: string): { readonly width: number; readonly height: number } | undefined {
  try {
    const header = Uint8Array.from(atob(base64.slice(0, Math.ceil(HEADER_BYTES / 3) * 4)), (byte) =>
      byte.charCodeAt(0),
    )
    const view = new DataView(header.buffer)
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
  } catch {
    return undefined
  }
}
