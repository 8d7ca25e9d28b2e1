import { PdfTextReader } from '../../src/pdf-text/pdf-text-reader';
import { type Drawing, printLines } from '../support/documents/opinion-papers';

const lines = ['Resultado: NEGATIVA', '', '', 'Folio: 1'];
const hidden = 'se emite opinión Positiva';
const operators =
  (text: string): Drawing =>
  (pdf) => {
    pdf.addContent(text);
  };
/** The position of the text on the page. pdfkit flips the page, so the text is flipped back. */
const seen = '1 0 0 -1 50 400';
/** The hidden text in the middle of the page, by raw operators before and after its `Tj`. */
const write = (before: string, matrix = seen, after = ''): Drawing => {
  const hex = Buffer.from(hidden, 'latin1').toString('hex');
  return operators(`q BT ${before} /F1 8 Tf ${matrix} Tm <${hex}> Tj ET ${after} Q`);
};

describe('a PDF with invisible text', () => {
  let reader: PdfTextReader;
  beforeAll(() => {
    reader = new PdfTextReader();
  });
  afterAll(() => reader.close());

  const read = async (above: Drawing, below?: Drawing) => reader.read(await printLines(lines, below, above));
  const textOf = async (above: Drawing, below?: Drawing) => {
    const reading = await read(above, below);
    return 'problem' in reading ? reading.problem : reading.lines.flat().join(' ');
  };

  it.each<[string, Drawing]>([
    ['white', write('1 g')],
    ['nearly white', write('0.95 g')],
    ['of a pattern that is not known', write('/Pattern cs /P1 scn')],
    ['in render mode 3', write('3 Tr')],
    ['in render mode 7', write('7 Tr')],
    ['an outline', write('1 Tr 1 G')],
    ['of size zero', write('', '0.001 0 0 -0.001 50 400')],
    ['mirrored', write('', '-1 0 0 -1 300 400')],
    ['turned', write('', '0.7 0.7 0.7 -0.7 50 400')],
    ['off the page', write('', '1 0 0 -1 50 -400')],
    ['half off the page', write('', '1 0 0 -1 580 400')],
    ['clipped to nothing', (pdf) => pdf.rect(0, 0, 1, 1).clip().text(hidden, 50, 400)],
    ['in a clip of another form than a box', (pdf) => pdf.circle(200, 400, 200).clip().text(hidden, 50, 400)],
    ['below a white box', write('', seen, '1 g 40 390 300 30 re f')],
    ['below a white line', write('', seen, '1 G 10 w 40 403 m 300 403 l S')],
    ['below a form', write('', seen, '1 g 40 390 m 300 390 l 170 450 l f')],
    ['below an image', write('', seen, 'q 300 0 0 30 40 390 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u0080 EI Q')],
    ['transparent', (pdf) => pdf.fillOpacity(0.05).text(hidden, 50, 400)],
    ['below large letters', (pdf) => pdf.text(hidden, 50, 400).fontSize(60).text('MMMM', 40, 380)],
    ['black on black', (pdf) => pdf.rect(40, 390, 300, 30).fill('black').fillColor('black').text(hidden, 50, 400)],
    ['in a layer', (pdf) => pdf.addContent(`/OC /L1 BDC`) && write('')(pdf)],
  ])('is rejected if it is %s', async (_, draw) => {
    expect(await read(draw)).toEqual({ problem: 'UNREADABLE' });
  });

  it.each<[string, Drawing, Drawing?]>([
    ['black', write('')],
    ['grey', write('0.5 g')],
    [
      'white on a dark box',
      (pdf) => pdf.rect(40, 390, 300, 30).fill('#0b5d4b').fillColor('white').text(hidden, 50, 400),
    ],
    ['bold by its outline', write('2 Tr 0 G')],
    ['in a box that is clipped around it', (pdf) => pdf.rect(40, 380, 300, 40).clip().text(hidden, 50, 400)],
    ['in a frame of lines', (pdf) => pdf.text(hidden, 50, 400).rect(40, 390, 300, 30).stroke('black')],
    ['underlined', (pdf) => pdf.text(hidden, 50, 400, { underline: true })],
    ['above a page painted white', write(''), (pdf) => pdf.rect(0, 0, 700, 900).fill('white')],
  ])('is read if it is %s', async (_, draw, ...below) => {
    expect(await textOf(draw, ...below)).toContain(hidden);
  });
});
