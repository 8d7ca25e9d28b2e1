import { texts } from '../language/texts';

const words = texts.batch;

/** An error message that says what to do. */
export function BatchError({ code, reason }: { readonly code: string | undefined; readonly reason: string }) {
  if (code === 'BATCHES_OFF') return <p>{words.off}</p>;
  if (code === 'UNAUTHENTICATED')
    return (
      <>
        <p>{words.tokenNeeded}</p>
        <p className="padron-quiet">{reason}</p>
      </>
    );
  return <p>{words.unread(reason)}</p>;
}
