import { pictureFormat } from './picture-format.ts'
import type { Picture, PictureRequest, TakePicture } from './platform.ts'

/** Draws a test picture with the number of the photo. */
export const takePicture: TakePicture = (request) => {
  const { width, height } = pictureFormat(request.size, request.compress)
  return drawPhoto(request, { width, height }, (context) => {
    context.fillStyle = `hsl(${(request.index * 47) % 360} 60% 40%)`
    context.fillRect(0, 0, width, height)
    context.fillStyle = 'white'
    context.font = `${height / 4}px sans-serif`
    context.textAlign = 'center'
    context.fillText(String(request.index + 1), width / 2, height / 2)
  })
}

/** Photographs an image, such as a frame of a video, at most as large as requested. */
export function photograph(
  request: PictureRequest,
  image: CanvasImageSource,
  size: { readonly width: number; readonly height: number },
): Promise<Picture> {
  const requested = pictureFormat(request.size, request.compress)
  const scale = Math.min(requested.width / size.width, requested.height / size.height, 1)
  const width = Math.max(Math.round(size.width * scale), 1)
  const height = Math.max(Math.round(size.height * scale), 1)
  return drawPhoto(request, { width, height }, (context) => context.drawImage(image, 0, 0, width, height))
}

async function drawPhoto(
  { size, compress }: PictureRequest,
  { width, height }: { readonly width: number; readonly height: number },
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
): Promise<Picture> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot draw a picture')
  draw(context)
  const { quality } = pictureFormat(size, compress)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: quality / 100 })
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width, height }
}
