import { findCapabilities } from '@glasses-cloud/contract'
import { useEffect, useRef, useState } from 'react'
import { Button, LinkButton } from '../../components/Button.tsx'
import { FileButton } from '../../components/FileButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { reportFailure } from '../../components/Toasts.tsx'
import type { CameraView } from '../../simulator/camera.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Photo } from '../../simulator/simulator-state.ts'
import styles from './CameraCard.module.css'
import { useAct } from './use-simulator.ts'

/** The model that is offered where glasses have no camera. */
const CAMERA_MODEL = 'Mentra Live'

type Kind = CameraView['kind']

const VIEWS = [
  { value: 'test', label: 'Test pictures' },
  { value: 'webcam', label: 'The camera of this computer' },
  { value: 'file', label: 'A picture from a file' },
] as const

export interface CameraCardProps {
  readonly simulator: Simulator
  readonly model: string
  readonly photos: readonly Photo[]
}

/** What the camera of the glasses sees, and the photos that it took. */
export function CameraCard({ simulator, model, photos }: CameraCardProps) {
  const { camera } = simulator
  const [view, setView] = useState<CameraView>(camera.view)
  const [kind, setKind] = useState<Kind>(camera.view.kind)
  const act = useAct(simulator)

  async function choose(chosen: Kind) {
    setKind(chosen)
    try {
      if (chosen === 'test') camera.showTestPictures()
      if (chosen === 'webcam') await camera.openWebcam()
    } catch (error) {
      setKind(camera.view.kind)
      reportFailure(error)
    }
    setView(camera.view)
  }

  async function chooseFile(file: File) {
    try {
      await camera.openFile(file)
    } catch (error) {
      reportFailure(error)
    }
    setView(camera.view)
  }

  if (findCapabilities(model)?.hasCamera !== true) {
    return (
      <Card title="Camera">
        <p>{model} have no camera.</p>
        <div>
          <Button onPress={() => simulator.putOn(CAMERA_MODEL)}>Put on {CAMERA_MODEL}</Button>
        </div>
      </Card>
    )
  }
  return (
    <Card
      title="Camera"
      description="Your photos go to the gallery, as those of the camera button do while no app handles it."
    >
      <Select
        label="What the camera sees"
        options={VIEWS}
        value={kind}
        onChange={(chosen) => void choose(chosen)}
      />
      {kind === 'file' && (
        <FileButton accept={['image/*']} onFile={(file) => void chooseFile(file)}>
          Choose a picture
        </FileButton>
      )}
      {view.kind === 'file' && <p>The camera sees {view.name}</p>}
      {view.kind === 'webcam' && <Preview stream={view.stream} />}
      <div className={styles.row}>
        <Button onPress={() => act((glasses) => glasses.takePhoto())}>Take a photo</Button>
        <LinkButton variant="quiet" to="/gallery">
          Open the gallery
        </LinkButton>
      </div>
      {photos.length === 0 ? (
        <p className="muted">No photo yet. Take one, or start an app that takes photos.</p>
      ) : (
        <ul className={styles.photos} aria-label="Photos">
          {photos.map((photo, index) => (
            <li key={photo.requestId}>
              <PhotoItem photo={photo} label={`Photo ${photos.length - index}`} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Preview({ stream }: { readonly stream: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream
  }, [stream])
  return (
    <video
      ref={video}
      className={styles.preview}
      aria-label="What the camera sees"
      autoPlay
      muted
      playsInline
    />
  )
}

function PhotoItem({ photo, label }: { readonly photo: Photo; readonly label: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (photo.picture === undefined) return
    const created = URL.createObjectURL(photo.picture)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [photo.picture])
  return (
    <>
      {url !== undefined && <img src={url} alt={label} />}
      {photo.error !== undefined && <p>Not delivered: {photo.error}</p>}
    </>
  )
}
