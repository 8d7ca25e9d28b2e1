/** The endpoints behind a person's fields, written down once more: their paths are what is tested. */
export const CREDIT = 'POST /api/infonavit/grupo/buscar-credito';
export const ACCOUNT = 'POST /api/infonavit/grupo/obtener-cuenta';
export const IDENTITY = 'POST /api/renapo/grupo/valida-curp';
export const LICENCE = 'POST /api/sep/grupo/validar-cedula';
export const SEARCH = 'POST /api/sep/grupo/obtener-cedula';
export const CERTIFICATE = 'POST /api/sep/grupo/validar-certificado';
export const STATUS = 'POST /api/sep/grupo/descargar-constancia-profesional';
/** The signed link of a professional status: free, and open without a token. */
export const STATUS_LINK = 'GET /archivos/constancia-profesional/{token}';
