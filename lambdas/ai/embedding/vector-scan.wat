;; Dot products of one question with many packed vectors (docs/decisions/0042). A vector has 384 dimensions.
;;
;; Memory: the question as 384 int16 at address 0; rows of 384 int8; one i32 sum per row at $sums.
;; Four rows at a time, because each part of the question is then loaded once for four rows.
(module
  (import "memory" "memory" (memory 0))

  (func (export "run") (param $row i32) (param $end i32) (param $sums i32)
    (local $question i32)
    (local $low v128) (local $high v128) (local $bytes v128)
    (local $total0 v128) (local $total1 v128) (local $total2 v128) (local $total3 v128)

    (loop $rows
      (local.set $question (i32.const 0))
      (local.set $total0 (v128.const i32x4 0 0 0 0))
      (local.set $total1 (v128.const i32x4 0 0 0 0))
      (local.set $total2 (v128.const i32x4 0 0 0 0))
      (local.set $total3 (v128.const i32x4 0 0 0 0))

      ;; 16 dimensions: 32 bytes of the question, 16 bytes of each row.
      (loop $parts
        (local.set $low (v128.load (local.get $question)))
        (local.set $high (v128.load offset=16 (local.get $question)))

        (local.set $bytes (v128.load (local.get $row)))
        (local.set $total0 (i32x4.add (local.get $total0) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))

        (local.set $bytes (v128.load offset=384 (local.get $row)))
        (local.set $total1 (i32x4.add (local.get $total1) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))

        (local.set $bytes (v128.load offset=768 (local.get $row)))
        (local.set $total2 (i32x4.add (local.get $total2) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))

        (local.set $bytes (v128.load offset=1152 (local.get $row)))
        (local.set $total3 (i32x4.add (local.get $total3) (i32x4.add
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))

        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $parts (i32.lt_u (local.tee $question (i32.add (local.get $question) (i32.const 32))) (i32.const 768))))

      ;; The loop above moved $row to the second of the four rows.
      (local.set $row (i32.add (local.get $row) (i32.const 1152)))
      (i32.store (local.get $sums) (call $sum (local.get $total0)))
      (i32.store offset=4 (local.get $sums) (call $sum (local.get $total1)))
      (i32.store offset=8 (local.get $sums) (call $sum (local.get $total2)))
      (i32.store offset=12 (local.get $sums) (call $sum (local.get $total3)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $end)))))

  (func $sum (param $lanes v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))
