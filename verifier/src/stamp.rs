//! Time stamps (RFC 3161): DER, signed attributes, and the certificates that vouch for them.

use std::time::Duration;

use ring::digest;
use rustls::pki_types::{CertificateDer, SignatureVerificationAlgorithm, TrustAnchor, UnixTime};
use webpki::{anchor_from_trusted_cert, EndEntityCert, KeyUsage};

use crate::der::{
    extension, issuer_and_serial, read_time, Der, Read, Value, FIRST, INTEGER, OBJECT, OCTETS,
    SEQUENCE, SET, TIME,
};
use crate::hash::sha256;
use crate::note::unbase64;

const BYTES_MAX: usize = 32_768;

pub const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const TST_INFO: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x01, 0x04];
pub const CONTENT_TYPE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x03];
pub const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04];
const SHA_256: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];
const SHA_384: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02];
const SHA_512: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03];
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
const TIME_STAMPING: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x08];

/// A time stamp whose form was read.
pub struct Stamp<'a> {
    /// The moment that it names, in microseconds since 1970.
    pub moment: i64,
    info: &'a [u8],
    certificates: Vec<&'a [u8]>,
    signer: Signer<'a>,
}

struct Signer<'a> {
    issuer: &'a [u8],
    serial: &'a [u8],
    digest: &'a [u8],
    attributes: Value<'a>,
    signature: &'a [u8],
}

impl<'a> Stamp<'a> {
    /// Read an answer (TimeStampResp) that has to be over the SHA-256 of some bytes.
    pub fn read(answer: &'a [u8], content: &[u8]) -> Read<Stamp<'a>> {
        if answer.len() > BYTES_MAX {
            return Err(format!("a time stamp has at most {BYTES_MAX} bytes"));
        }
        let mut outer = Der(answer);
        let mut response = outer.expect(SEQUENCE)?.inside();
        outer.expect_end()?;
        let status = response.expect(SEQUENCE)?.inside().expect(INTEGER)?;
        if status.content != [0] {
            return Err("the authority granted no time stamp".into());
        }
        let mut token = response.expect(SEQUENCE)?.inside();
        if token.expect(OBJECT)?.content != SIGNED_DATA {
            return Err("its token is no signed data".into());
        }
        let mut signed = token.expect(FIRST)?.inside().expect(SEQUENCE)?.inside();
        signed.expect(INTEGER)?;
        signed.expect(SET)?;
        let mut encapsulated = signed.expect(SEQUENCE)?.inside();
        if encapsulated.expect(OBJECT)?.content != TST_INFO {
            return Err("its token holds no TSTInfo".into());
        }
        let info = encapsulated.expect(FIRST)?.inside().expect(OCTETS)?.content;
        let mut certificates = Vec::new();
        if let Some(set) = signed.optional(FIRST)? {
            let mut set = set.inside();
            while !set.0.is_empty() {
                certificates.push(set.next()?.whole);
            }
        }
        signed.optional(0xa1)?;
        let mut signers = signed.expect(SET)?.inside();
        let signer = read_signer(signers.expect(SEQUENCE)?)?;
        signers.expect_end().map_err(|_| "it has more than one signer")?;
        Ok(Stamp { moment: read_info(info, content)?, info, certificates, signer })
    }

    /// Check that a root vouches for the stamp at the moment that it names.
    pub fn verify(&self, roots: &[CertificateDer]) -> Read<()> {
        self.check_attributes()?;
        let certificate = self
            .certificates
            .iter()
            .copied()
            .find(|one| issuer_and_serial(one) == Ok((self.signer.issuer, self.signer.serial)))
            .ok_or("it does not hold the certificate of its signer")?;
        require_usage(certificate)?;
        let der = CertificateDer::from(certificate);
        let leaf = EndEntityCert::try_from(&der)
            .map_err(|error| format!("the certificate of its signer can't be used: {error}"))?;
        let mut signed = self.signer.attributes.whole.to_vec();
        signed[0] = SET;
        let is_signed = algorithms()
            .iter()
            .any(|one| leaf.verify_signature(*one, &signed, self.signer.signature).is_ok());
        if !is_signed {
            return Err("its signature is false".into());
        }
        let anchors: Vec<TrustAnchor> =
            roots.iter().filter_map(|root| anchor_from_trusted_cert(root).ok()).collect();
        let others: Vec<CertificateDer> =
            self.certificates.iter().map(|one| CertificateDer::from(*one)).collect();
        let seconds = u64::try_from(self.moment / 1_000_000).unwrap_or(0);
        leaf.verify_for_usage(
            algorithms(),
            &anchors,
            &others,
            UnixTime::since_unix_epoch(Duration::from_secs(seconds)),
            KeyUsage::required(TIME_STAMPING),
            None,
            None,
        )
        .map_err(|error| format!("no root vouches for it: {error}"))?;
        Ok(())
    }

    /// The signed attributes name the type and the digest of the TSTInfo.
    fn check_attributes(&self) -> Read<()> {
        let algorithm = match self.signer.digest {
            SHA_256 => &digest::SHA256,
            SHA_384 => &digest::SHA384,
            SHA_512 => &digest::SHA512,
            _ => return Err("its digest is none of SHA-256, SHA-384 and SHA-512".into()),
        };
        let wanted = digest::digest(algorithm, self.info);
        let (mut has_type, mut has_digest) = (false, false);
        let mut attributes = self.signer.attributes.inside();
        while !attributes.0.is_empty() {
            let mut attribute = attributes.expect(SEQUENCE)?.inside();
            let name = attribute.expect(OBJECT)?.content;
            let mut values = attribute.expect(SET)?.inside();
            let value = values.next()?;
            if name == CONTENT_TYPE {
                has_type = value.content == TST_INFO;
            } else if name == MESSAGE_DIGEST {
                has_digest = value.content == wanted.as_ref();
            }
        }
        if has_type && has_digest {
            return Ok(());
        }
        Err("its signature is over another content".into())
    }
}

fn read_signer(signer: Value<'_>) -> Read<Signer<'_>> {
    let mut signer = signer.inside();
    signer.expect(INTEGER)?;
    let mut id =
        signer.expect(SEQUENCE).map_err(|_| "its signer is not named by serial number")?.inside();
    let issuer = id.expect(SEQUENCE)?.whole;
    let serial = id.expect(INTEGER)?.content;
    let digest = signer.expect(SEQUENCE)?.inside().expect(OBJECT)?.content;
    let attributes = signer.expect(FIRST).map_err(|_| "it has no signed attributes")?;
    signer.expect(SEQUENCE)?;
    let signature = signer.expect(OCTETS)?.content;
    Ok(Signer { issuer, serial, digest, attributes, signature })
}

/// Read a TSTInfo; gives the moment, if it is over the SHA-256 of some bytes.
fn read_info(info: &[u8], content: &[u8]) -> Read<i64> {
    let mut outer = Der(info);
    let mut info = outer.expect(SEQUENCE)?.inside();
    outer.expect_end()?;
    info.expect(INTEGER)?;
    info.expect(OBJECT)?;
    let mut imprint = info.expect(SEQUENCE)?.inside();
    let algorithm = imprint.expect(SEQUENCE)?.inside().expect(OBJECT)?.content;
    let digest = imprint.expect(OCTETS)?.content;
    if algorithm != SHA_256 || digest != sha256(&[content]) {
        return Err("it is not over the SHA-256 of the note".into());
    }
    info.expect(INTEGER)?;
    read_time(info.expect(TIME)?.content).ok_or_else(|| "it names no moment".to_string())
}

/// A certificate for time stamps says so in a critical extension (RFC 3161, section 2.3).
fn require_usage(certificate: &[u8]) -> Read<()> {
    match extension(certificate, EXTENDED_KEY_USAGE)? {
        Some((true, _)) => Ok(()),
        _ => Err("the certificate of its signer has no critical usage for time stamps".into()),
    }
}

pub fn algorithms() -> &'static [&'static dyn SignatureVerificationAlgorithm] {
    webpki::ALL_VERIFICATION_ALGS
}

/// Certificates in PEM.
pub fn read_roots(pem: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const END: &str = "-----END CERTIFICATE-----";
    let mut roots = Vec::new();
    for part in pem.split(BEGIN).skip(1) {
        let (text, _) = part.split_once(END).ok_or("a certificate has no end")?;
        let digits: String = text.split_ascii_whitespace().collect();
        let bytes = unbase64(&digits).ok_or("a certificate is not in base64")?;
        roots.push(CertificateDer::from(bytes));
    }
    if roots.is_empty() {
        return Err("roots are certificates in PEM, and here is none".into());
    }
    Ok(roots)
}
